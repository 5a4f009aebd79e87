import type { Access } from "./access.ts";
import { CHUNK_LENGTH, ENCODE, type EncodedList } from "./encoded_list.ts";
import type { Plant } from "./plant.ts";

/** The length of the JSON of a plant without its name and tag, in characters. */
const PUNCTUATION = '{"name":"","tag":""},'.length;

/** Returns the JSON of plants, with commas between them. */
const toJson = (plants: readonly Plant[]) =>
  JSON.stringify(plants).slice(1, -1);

/** Creates the list of the first `limit` plants that a user can see. */
export function createSnapshotList(
  version: string,
  plants: readonly Plant[],
  access: Access,
  limit: number = Infinity,
): EncodedList {
  function* list(): Generator<Plant> {
    const canSee = createFilter(access);
    let rest = limit;
    for (const plant of plants) {
      if (rest === 0) return;
      if (!canSee(plant)) continue;
      yield plant;
      rest--;
    }
  }

  function* encode(): Generator<string> {
    const batch: Plant[] = [];
    let length = 0;
    for (const plant of list()) {
      batch.push(plant);
      length += plant.name.length + (plant.tag?.length ?? 0) + PUNCTUATION;
      if (length < CHUNK_LENGTH) continue;
      const text = toJson(batch);
      length = batch.length = 0; // a waiting generator keeps its variables
      yield text;
    }
    if (batch.length > 0) yield toJson(batch);
  }

  return { version, limit, [ENCODE]: encode, [Symbol.iterator]: list };
}

/** Returns a function that tells whether an access includes a plant. */
function createFilter(access: Access): (plant: Plant) => boolean {
  if (access === "all") return () => true;
  const tags = new Set(access.tags), names = new Set(access.names);
  return ({ name, tag }) => names.has(name) || tags.has(tag ?? "");
}
