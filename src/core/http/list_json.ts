import { isEncoded } from "../domain/encoded_list.ts";
import type { Plant } from "../domain/plant.ts";
import { checkPlant, type PlantList } from "../domain/store.ts";

/** The maximum length of the JSON of a short list, in characters: that of about 1,000 plants. */
export const MAX_SHORT_LENGTH = 49_152;

/** The minimum length of the next chunks of a long list, in characters. */
export const CHUNK_LENGTH = 16_384;

/**
 * Encodes the first `limit` plants of a list as JSON. Returns an array or a short list.
 * Yields a long list in chunks, each encoded when it is read, and first an empty one:
 * from then on, `return()` closes the list.
 *
 * @param onCut Called with the error if a long list fails, which cuts it off.
 */
export async function* encodeList(
  list: PlantList,
  limit: number,
  onCut: (error: unknown) => void,
): AsyncGenerator<Uint8Array, string> {
  // An array can change while a client reads the response.
  if (Array.isArray(list)) return encodeArray(list.slice(0, limit));
  const texts = isEncoded(list) ? list.encode() : encodePlants(list, limit);
  let text = "[", separator = "", isLong = false;
  try {
    for await (const plants of texts) {
      text += separator + plants;
      separator = ",";
      if (text.length <= (isLong ? CHUNK_LENGTH : MAX_SHORT_LENGTH)) continue;
      if (!isLong) {
        isLong = true;
        yield new Uint8Array();
      }
      const chunk = new TextEncoder().encode(text);
      text = ""; // otherwise, it would be kept until a slow client has read the chunk
      yield chunk;
    }
  } catch (error) {
    if (isLong) onCut(error);
    throw error;
  }
  text += "]";
  if (isLong) yield new TextEncoder().encode(text);
  return text;
}

function encodeArray(plants: readonly Plant[]): string {
  // forEach() would skip the holes of a sparse array.
  for (const [at, plant] of plants.entries()) checkPlant(plant, at);
  return JSON.stringify(plants);
}

/** Encodes the plants of a custom list. */
async function* encodePlants(
  list: PlantList,
  limit: number,
): AsyncGenerator<string> {
  if (limit === 0) return;
  let count = 0;
  for await (const plant of list) {
    checkPlant(plant, count);
    yield JSON.stringify(plant);
    if (++count === limit) return;
  }
}
