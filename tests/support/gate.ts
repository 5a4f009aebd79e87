/** A promise that is resolved from outside. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

/** Makes a gate; Node 20 has no `Promise.withResolvers`. */
export function createGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => open = resolve);
  return { opened, open };
}
