import { STATUS_CODE } from "@std/http/status";
import { addEtag } from "../domain/etag.ts";
import type { EncodedList, PlantList } from "../domain/store.ts";
import { quote } from "../domain/quote.ts";
import type { CreateResponse, ServiceResponse } from "./response.ts";

/**
 * Encodes the first `limit` plants in a list from a custom store.
 *
 * @throws {TypeError} If `list` is neither an array nor an encoded list.
 */
export function encodeList(
  list: PlantList,
  limit: number | undefined,
): EncodedList | Promise<EncodedList> {
  if ("body" in list) return list;
  if (!Array.isArray(list)) throw new TypeError("expected a list of plants");
  const text = JSON.stringify(list.slice(0, limit));
  return addEtag(new TextEncoder().encode(text));
}

/** An entity tag (RFC 9110 section 8.8.3) without commas, because `ifNoneMatch` splits at commas. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x2b\x2d-\x7e\x80-\xff]*"$/;

/** Bodies up to this size become text, which `node:http` sends together with the headers. */
const MAX_TEXT_BYTES = 4_096;

/**
 * Creates a response that contains a list.
 *
 * @throws {TypeError} If the ETag, body, or length of the list is invalid.
 */
export function createListResponse(
  create: CreateResponse,
  { body, byteLength, etag }: EncodedList,
): ServiceResponse {
  if (!ENTITY_TAG.test(etag)) {
    throw new TypeError(
      `etag must be an entity tag without commas, got ${quote(`${etag}`)}`,
    );
  }
  const bytes = typeof body === "string"
    ? new TextEncoder().encode(body)
    : body;
  if (!(bytes instanceof Uint8Array) || bytes.byteLength !== byteLength) {
    throw new TypeError("byteLength must be the length of the body in bytes");
  }
  // deno-fmt-ignore
  return create(STATUS_CODE.OK, [
    "Content-Type", "application/json",
    "Content-Length", `${byteLength}`,
    "ETag", etag,
    "Cache-Control", "private, no-cache",
    "Vary", "Authorization",
  ], byteLength > MAX_TEXT_BYTES ? bytes : toTextIfAscii(bytes));
}

function toTextIfAscii(bytes: Uint8Array): string | Uint8Array {
  const text = new TextDecoder().decode(bytes);
  const isAscii = text.length === bytes.length && !text.includes("\uFFFD");
  return isAscii ? text : bytes;
}
