import { isPromise } from "./maybe_promise.ts";

/** Calls a callback from the options. If it fails, even asynchronously, calls `onError`. */
export function notify<T>(
  callback: (value: T) => unknown,
  value: T,
  onError: (error: unknown) => void,
): void {
  try {
    const done = callback(value);
    if (isPromise(done)) done.then(undefined, onError);
  } catch (error) {
    onError(error);
  }
}
