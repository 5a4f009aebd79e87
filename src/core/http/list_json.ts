import { findPlants, type View } from "../domain/snapshot.ts";

/** The maximum length of the JSON of a short list, in characters: that of about 1,000 plants. */
export const MAX_SHORT_LENGTH = 49_152;

/** The minimum length of a chunk of a long list, in characters. */
export const CHUNK_LENGTH = 16_384;

/** Encodes the first `limit` plants of a view, or returns `undefined` if the list is long. */
export function encodeShort(view: View, limit: number): string | undefined {
  const plants: string[] = [];
  let length = "[".length;
  for (const at of findPlants(view, limit)) {
    const json = view.catalog.jsonAt(at);
    length += json.length + ",".length;
    if (length > MAX_SHORT_LENGTH) return undefined;
    plants.push(json);
  }
  return `[${plants.join()}]`;
}

/** Encodes the first `limit` plants of a view, each chunk when it is read. */
export function* encodeLong(
  view: View,
  limit: number,
): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = "[", separator = "";
  for (const at of findPlants(view, limit)) {
    text += separator + view.catalog.jsonAt(at);
    separator = ",";
    if (text.length < CHUNK_LENGTH) continue;
    const chunk = encoder.encode(text);
    text = ""; // otherwise, it would be kept until a slow client has read the chunk
    yield chunk;
  }
  yield encoder.encode(`${text}]`);
}
