import * as v from "valibot";

/** An answer before any platform has turned it into its own kind of response. */
export interface Reply {
  /** The status code. */
  readonly status: number;
  /** The header fields by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, text or bytes; absent where there is none, also for HEAD. */
  readonly body?: string | Uint8Array;
}

/**
 * The body of every answer that tells of a failure (sections 2 and 7 of the
 * interface).
 *
 * @example
 * ```ts
 * import type { ErrorBody } from "plant-store";
 *
 * const body: ErrorBody = { error: 404, message: "There is nothing here" };
 * ```
 */
export interface ErrorBody {
  /** A number that tells failures apart: the status, or 500 for an unexpected failure, whose status is 400. */
  readonly error: number;
  /** What a person can do about it. */
  readonly message: string;
}

/**
 * An {@linkcode ErrorBody} as a client may meet it: `error` is an int32, other
 * keys are allowed.
 *
 * @example
 * ```ts
 * import { ErrorSchema } from "plant-store";
 * import * as v from "valibot";
 * import { assert } from "@std/assert";
 *
 * assert(v.is(ErrorSchema, { error: 404, message: "There is nothing here" }));
 * assert(!v.is(ErrorSchema, { error: "404", message: "There is nothing here" }));
 * ```
 */
export const ErrorSchema: v.GenericSchema<ErrorBody> = v.looseObject({
  error: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(-(2 ** 31)),
    v.maxValue(2 ** 31 - 1),
  ),
  message: v.string(),
});

/** A reply whose body is `value` as JSON. */
export function json(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>>,
): Reply {
  const body = JSON.stringify(value);
  return {
    status,
    headers: {
      "Content-Type": "application/json",
      "Content-Length": `${new TextEncoder().encode(body).byteLength}`,
      ...headers,
    },
    body,
  };
}

/** What a failure's reply has beside its status and message. */
export interface FailureOptions {
  /** The `error` of the body; the status unless given. */
  readonly error?: number;
  /** Header fields of this failure. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A reply that tells of a failure; no cache may keep it. */
export function failure(
  status: number,
  message: string,
  { error = status, headers = {} }: FailureOptions = {},
): Reply {
  const body: ErrorBody = { error, message };
  return json(status, body, { "Cache-Control": "no-store", ...headers });
}
