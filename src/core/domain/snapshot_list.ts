import type { Access } from "./access.ts";
import type { Plant } from "./plant.ts";

/** The length of the texts that a list yields, in characters. */
const TEXT_LENGTH = 16_384;

/** The first `limit` plants that a user can see. */
export class SnapshotList implements Iterable<Plant> {
  readonly version: string;
  readonly #plants: readonly Plant[];
  readonly #canSee: (plant: Plant) => boolean;
  readonly #limit: number;

  constructor(
    version: string,
    plants: readonly Plant[],
    canSee: (plant: Plant) => boolean,
    limit: number = Infinity,
  ) {
    this.version = version;
    this.#plants = plants;
    this.#canSee = canSee;
    this.#limit = limit;
  }

  *[Symbol.iterator](): Generator<Plant> {
    let rest = this.#limit;
    for (const plant of this.#plants) {
      if (rest === 0) return;
      if (!this.#canSee(plant)) continue;
      yield plant;
      rest--;
    }
  }

  *encode(): Generator<string> {
    const texts: string[] = [];
    let length = 0;
    for (const plant of this) {
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
}

/** Returns a function that tells whether an access includes a plant. */
export function createFilter(access: Access): (plant: Plant) => boolean {
  if (access === "all") return () => true;
  const tags = new Set(access.tags), names = new Set(access.names);
  return ({ name, tag }) => names.has(name) || tags.has(tag ?? "");
}
