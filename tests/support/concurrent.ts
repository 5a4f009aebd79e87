import { test } from "node:test";

/** The time in milliseconds after which a test fails if it hangs. */
const PATIENCE = 60_000;

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
  const waiting: (() => void)[] = [];
  let free = size;

  async function start(run: (t: Hooks) => Promise<void>): Promise<void> {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    const hooks: (() => unknown)[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const late = new Promise<void>((_, reject) => {
        const error = new Error(`not finished after ${PATIENCE} ms`);
        timer = setTimeout(() => reject(error), PATIENCE);
      });
      await Promise.race([
        run({ after: (hook) => void hooks.push(hook) }),
        late,
      ]);
    } finally {
      clearTimeout(timer);
      for (const hook of hooks) await hook();
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  }

  return (name, run) => {
    const running = start(run);
    running.catch(() => {}); // the test reports it
    test(name, () => running);
  };
}
