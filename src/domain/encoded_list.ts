import { createEtag } from "./etag.ts";
import { andThen, type MaybePromise } from "./maybe_promise.ts";
import type { Plant } from "./plant.ts";
import type { Viewer } from "./store.ts";

/** A list of plants as the body of a response. */
export interface EncodedList {
  /** The JSON array, as ASCII text or as UTF-8 bytes. Its length is in bytes. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** The ETag of the body. */
  readonly etag: string;
}

/** The key of the encoder of a `list` method. */
export const ENCODE: unique symbol = Symbol("encode");

/** A viewer that can encode its list, so that it can cache the result. */
export interface EncodingViewer extends Viewer {
  /** The encoder belongs to the method, so that wrappers replace or keep both. */
  readonly list: Viewer["list"] & {
    /** Returns the list that `list(limit)` returns, encoded. */
    readonly [ENCODE]: (limit?: number) => MaybePromise<EncodedList>;
  };
}

/**
 * The maximum length of lists that remain text. For `node:http`, short text is 9 µs
 * faster than bytes; long text is copied for each client that reads slowly.
 */
const MAX_TEXT_LENGTH = 4_096;

/** Encodes a list of plants and adds its ETag. */
export function encodeList(
  plants: readonly Plant[],
): MaybePromise<EncodedList> {
  const body = encodeJson(plants);
  return andThen(createEtag(body), (etag) => ({ body, etag }));
}

/** Encodes a value as JSON, as {@linkcode EncodedList.body} describes. */
export function encodeJson(value: unknown): EncodedList["body"] {
  const text = JSON.stringify(value);
  // deno-lint-ignore no-control-regex
  const isAscii = text.length <= MAX_TEXT_LENGTH && /^[\x00-\x7f]*$/.test(text);
  return isAscii ? text : new TextEncoder().encode(text);
}
