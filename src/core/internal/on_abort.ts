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
  if (!CALLBACKS.has(signal)) {
    CALLBACKS.set(signal, callbacks);
    signal.addEventListener("abort", () => callbacks.forEach((call) => call()));
  }
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}
