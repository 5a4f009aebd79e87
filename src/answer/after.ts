/**
 * What a store gives may be at hand or promised. What is at hand is answered at
 * once: waiting for it would cost every request.
 */
export type Promised<T> = T | Promise<T>;

/** Calls `next` with `value`, at once unless it is promised. */
export function after<T, U>(
  value: Promised<T>,
  next: (value: T) => Promised<U>,
): Promised<U> {
  return isPromised(value) ? Promise.resolve(value).then(next) : next(value);
}

/** Calls `run`; calls `failed` when it throws or what it promises is rejected. */
export function attempt<T>(
  run: () => Promised<T>,
  failed: (error: unknown) => T,
): Promised<T> {
  try {
    const value = run();
    return isPromised(value) ? value.catch(failed) : value;
  } catch (error) {
    return failed(error);
  }
}

/** Whether `value` is still to come. */
export function isPromised<T>(value: Promised<T>): value is Promise<T> {
  return typeof (value as Promise<T> | null | undefined)?.then === "function";
}
