import type { EncodedList } from "./store.ts";

/** Gives an encoded array its entity tag, at once or later. */
export type Encode = (
  body: Uint8Array<ArrayBuffer>,
) => EncodedList | Promise<EncodedList>;

/**
 * Gives an encoded array, or any other body, its entity tag: SHA-256 of the exact
 * bytes, cut to 128 bits, so that equal content has an equal tag in every process
 * and store.
 */
export async function encodeList(
  body: Uint8Array<ArrayBuffer>,
): Promise<EncodedList> {
  const digest = await crypto.subtle.digest("SHA-256", body);
  const hex = Array.from(
    new Uint8Array(digest),
    (byte) => byte.toString(16).padStart(2, "0"),
  );
  return toList(body, hex.join(""));
}

/** An encoded array with a tag made of its SHA-256 in hexadecimal digits. */
export function toList(body: Uint8Array, sha256: string): EncodedList {
  const etag = `"${sha256.slice(0, 32)}"`;
  return { body, byteLength: body.byteLength, etag };
}
