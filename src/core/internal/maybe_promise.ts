/** A value, or a promise that resolves to it. */
export type MaybePromise<T> = T | Promise<T>;

/** Whether `value` is a promise, or another object with a `then` method. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as Promise<T> | null | undefined)?.then === "function";
}
