import { setTimeout } from "node:timers/promises";

/** The time in milliseconds after which something must hang, even on a busy machine. */
export const PATIENCE = 300_000;

/** Waits until a condition is true. */
export async function until(
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (!await condition()) {
    if (performance.now() > end) {
      throw new Error(`never true: ${condition}`);
    }
    await setTimeout(10);
  }
}
