import { CHUNK_LENGTH, ENCODE, isEncoded } from "../domain/encoded_list.ts";
import type { Plant } from "../domain/plant.ts";
import { checkPlant, type PlantList } from "../domain/store.ts";

/** The maximum length of the JSON of a short list, in characters: that of about 1,000 plants. */
export const MAX_SHORT_LENGTH = 49_152;

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
  const encode = () =>
    isEncoded(list, limit) ? list[ENCODE]() : encodePlants(list, limit);
  let source = encode(), isLong = false;
  if (Symbol.iterator in source) {
    const json = encodeShort(source);
    if (json !== undefined) return json;
    // Plants in memory are encoded again, so that a slow client keeps only a chunk.
    source = encode();
    isLong = true;
    yield new Uint8Array();
  }
  let text = "[", separator = "";
  try {
    for await (const plants of source) {
      text += separator + plants;
      separator = ",";
      if (text.length <= (isLong ? CHUNK_LENGTH : MAX_SHORT_LENGTH)) continue;
      if (!isLong) {
        isLong = true;
        yield new Uint8Array();
      }
      const chunk = new TextEncoder().encode(text);
      text = ""; // a waiting generator keeps its variables
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

/** Returns the JSON of plants in memory, or `undefined` if the list is long. */
function encodeShort(texts: Iterable<string>): string | undefined {
  let json = "";
  for (const text of texts) {
    json += (json && ",") + text;
    if (json.length > MAX_SHORT_LENGTH - 2) return undefined;
  }
  return `[${json}]`;
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
