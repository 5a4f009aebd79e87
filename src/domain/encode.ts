import type { EncodedList } from "./store.ts";

/**
 * Gives an encoded array its entity tag: SHA-256 of the exact bytes, cut to 128
 * bits, so that equal content has an equal tag in every process and store.
 */
export async function encodeList(
  body: Uint8Array<ArrayBuffer>,
): Promise<EncodedList> {
  const digest = await crypto.subtle.digest("SHA-256", body);
  const hex = Array.from(
    new Uint8Array(digest, 0, 16),
    (byte) => byte.toString(16).padStart(2, "0"),
  );
  return { body, byteLength: body.byteLength, etag: `"${hex.join("")}"` };
}
