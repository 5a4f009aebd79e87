import { test } from "node:test";

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
    try {
      await run({ after: (hook) => void hooks.push(hook) });
    } finally {
      for (const hook of hooks) await hook();
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  }

  return (name, run) => {
    const running = start(run);
    running.catch(() => {}); // the test reports it
    test(name, { timeout: 60_000 }, () => running);
  };
}
