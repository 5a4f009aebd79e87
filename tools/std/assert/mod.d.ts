export declare function assert(expr: unknown, msg?: string): asserts expr;
export declare function assertEquals<T>(
  actual: T,
  expected: T,
  msg?: string,
): void;
export declare function assertMatch(
  actual: string,
  expected: RegExp,
  msg?: string,
): void;
export declare function assertNotMatch(
  actual: string,
  expected: RegExp,
  msg?: string,
): void;
export declare function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  // deno-lint-ignore no-explicit-any
  ErrorClass: abstract new (...args: any[]) => E,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;
export declare function assertStringIncludes(
  actual: string,
  expected: string,
  msg?: string,
): void;
export declare function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  // deno-lint-ignore no-explicit-any
  ErrorClass: abstract new (...args: any[]) => E,
  msgIncludes?: string,
  msg?: string,
): E;
