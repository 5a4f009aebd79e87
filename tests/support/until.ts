import { setTimeout } from "node:timers/promises";

/** How long, in milliseconds, anything may take before a test gives up. */
const PATIENCE = 60_000;

/** Waits until something is so. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + PATIENCE;
  while (!await isSo()) {
    if (performance.now() > deadline) throw new Error(`never so: ${isSo}`);
    await setTimeout(10);
  }
}
