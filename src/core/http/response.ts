import { sha256 } from "../internal/digest.ts";

/** A platform-independent response, which is faster on Node.js than a `Response`. */
export interface ServiceResponse {
  readonly status: number;
  /** The headers, as alternating names and values, which `node:http` writes fastest. */
  readonly headers: readonly string[];
  /** The body, as ASCII text or as bytes; absent if there is none, or if it has chunks. */
  readonly body?: string | Uint8Array | undefined;
  /** The chunks of a long list, which are encoded while the client reads them. */
  readonly chunks?: Chunks | undefined;
  /** Whether the connection closes after the response. Only `node:http` needs it. */
  readonly isLast?: boolean | undefined;
  /** Where an adapter stores the `Response` to clone. Set if the response is cached, and the same for all requests. */
  readonly prepared?: { response?: Response } | undefined;
}

/** The chunks of a long list. Unless all are read, they must be closed, because the list can hold a connection to a database. */
export type Chunks = AsyncGenerator<Uint8Array, unknown>;

/** Closes the chunks of a list. An error of the list is already reported. */
export async function closeChunks(chunks: Chunks): Promise<void> {
  await chunks.return(undefined).catch(() => {});
}

/** Returns the position of a header, or -1. `name` is in lowercase. */
export function findHeader(headers: readonly string[], name: string): number {
  return headers.findIndex((each, at) =>
    at % 2 === 0 && each.toLowerCase() === name
  );
}

/** Adds a value to the Vary header. */
export function addVary(headers: readonly string[], value: string): string[] {
  const at = findHeader(headers, "vary");
  if (at === -1) return [...headers, "Vary", value];
  return headers.with(at + 1, `${headers[at + 1]}, ${value}`);
}

/**
 * The maximum length of a body that remains text. For `node:http`, short text is 9 µs
 * faster than bytes; long text is copied for each client that reads slowly.
 */
const MAX_TEXT_LENGTH = 4_096;

/** Encodes text as UTF-8 bytes, or returns it if it is short and ASCII. Its length is in bytes. */
export function encodeText(text: string): string | Uint8Array {
  // deno-lint-ignore no-control-regex
  const isAscii = text.length <= MAX_TEXT_LENGTH && /^[\x00-\x7f]*$/.test(text);
  return isAscii ? text : new TextEncoder().encode(text);
}

/**
 * Returns the ETag of a body: the first 128 bits of its SHA-256 digest, so that
 * equal bodies have equal ETags in every process and store.
 */
export async function createEtag(body: string | Uint8Array): Promise<string> {
  const digest = await sha256(body);
  return `"${digest.slice(0, 32)}"`;
}

/** Creates a JSON response that must not be cached. */
export function createJson(
  status: number,
  value: unknown,
  headers: readonly string[] = [],
): ServiceResponse {
  const body = encodeText(JSON.stringify(value));
  return {
    status,
    // deno-fmt-ignore
    headers: [
      "Content-Type", "application/json",
      "Content-Length", `${body.length}`,
      "Cache-Control", "no-store",
      ...headers,
    ],
    body,
  };
}

/** Creates an error response. `error` is the number in the body. */
export function createError(
  status: number,
  message: string,
  headers: readonly string[] = [],
  error: number = status,
): ServiceResponse {
  const body: ErrorBody = { error, message };
  return createJson(status, body, headers);
}

/**
 * The body of every response with a status of 400 or higher.
 *
 * @example
 * ```ts
 * import type { ErrorBody } from "plant-store";
 *
 * const body: ErrorBody = { error: 404, message: "Not found" };
 * ```
 */
export interface ErrorBody {
  /** The status code, or 500 for an unexpected failure, whose status code is 400. */
  readonly error: number;
  /** A human-readable explanation. */
  readonly message: string;
}
