import { test } from "node:test";
import { createQueue } from "./queue.ts";

/** What a test needs to remove what it creates. */
export interface Hooks {
  after(fn: () => unknown): void;
}

/**
 * Creates a function that declares tests of which up to `size` run at a time. They
 * start when they are declared, because Deno and Bun ignore `concurrency`.
 */
export function createConcurrentTest(
  size: number,
): (name: string, run: (t: Hooks) => Promise<void>) => void {
  const enqueue = createQueue(size);
  return (name, run) => {
    const running = enqueue(async () => {
      const hooks: (() => unknown)[] = [];
      try {
        await run({ after: (hook) => void hooks.push(hook) });
      } finally {
        for (const hook of hooks) await hook();
      }
    });
    running.catch(() => {}); // the test reports it
    test(name, { timeout: 60_000 }, () => running);
  };
}
