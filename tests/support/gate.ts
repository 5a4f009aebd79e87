/** A promise that `open` resolves. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

/** Creates a gate; Node.js 20 has no `Promise.withResolvers`. */
export function createGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => open = resolve);
  return { opened, open };
}
