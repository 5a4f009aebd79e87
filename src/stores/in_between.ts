import { setImmediate } from "node:timers/promises";
import type { Steps } from "../domain/steps.ts";

/** Runs steps one at a time, yielding to the event loop between them. */
export async function runInBetween<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value as T;
    await setImmediate();
  }
}
