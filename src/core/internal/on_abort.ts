/** The callbacks of each signal. */
const CALLBACKS = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls a callback when a signal aborts. The callbacks of a signal share a listener,
 * because Node.js prints a warning about a signal with more than ten.
 *
 * @param signal A signal that has not aborted.
 * @returns A function that removes the callback.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = CALLBACKS.get(signal) ?? new Set();
  CALLBACKS.set(signal, callbacks.add(callback));
  signal.addEventListener("abort", callAll);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) signal.removeEventListener("abort", callAll);
  };
}

function callAll(this: AbortSignal): void {
  for (const callback of CALLBACKS.get(this) ?? []) callback();
}
