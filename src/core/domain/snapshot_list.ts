import type { Access } from "./access.ts";
import type { EncodedList } from "./encoded_list.ts";
import type { Plant } from "./plant.ts";

/** The length of the texts that a list yields, in characters. */
const TEXT_LENGTH = 16_384;

/** Creates the list of the first `limit` plants that a user can see. */
export function createSnapshotList(
  version: string,
  plants: readonly Plant[],
  canSee: (plant: Plant) => boolean,
  limit: number = Infinity,
): EncodedList {
  function* list(): Generator<Plant> {
    let rest = limit;
    for (const plant of plants) {
      if (rest === 0) return;
      if (!canSee(plant)) continue;
      yield plant;
      rest--;
    }
  }

  function* encode(): Generator<string> {
    const texts: string[] = [];
    let length = 0;
    for (const plant of list()) {
      const json = JSON.stringify(plant);
      texts.push(json);
      length += json.length;
      if (length < TEXT_LENGTH) continue;
      const text = texts.join();
      length = texts.length = 0; // a waiting generator keeps its variables
      yield text;
    }
    if (texts.length > 0) yield texts.join();
  }

  return { version, encode, [Symbol.iterator]: list };
}

/** Returns a function that tells whether an access includes a plant. */
export function createFilter(access: Access): (plant: Plant) => boolean {
  if (access === "all") return () => true;
  const tags = new Set(access.tags), names = new Set(access.names);
  return ({ name, tag }) => names.has(name) || tags.has(tag ?? "");
}
