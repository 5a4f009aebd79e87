import { sha256 } from "../internal/digest.ts";
import type { MaybePromise } from "../internal/maybe_promise.ts";
import type { Plant } from "./plant.ts";

/** How the JSON of a plant starts. In a string, the quotes would be escaped. */
const START = '{"name":';

/** All plants, in catalog order, and their JSON, so that each is encoded once. It never changes. */
export class Catalog {
  /** The plants. */
  readonly plants: readonly Plant[];
  /** The positions of all plants. */
  readonly positions: readonly number[];
  /** The positions of the plants with each tag. */
  readonly tagged: Map<string | undefined, number[]> = new Map();
  /** The JSON of all plants. A text for each plant would take more memory. */
  readonly #json: string;
  /** Where the JSON of each plant starts. */
  readonly #starts: Uint32Array;
  #digest: MaybePromise<string> | undefined;

  constructor(plants: readonly Plant[]) {
    this.plants = plants;
    this.positions = [...plants.keys()];
    this.#json = JSON.stringify(plants);
    this.#starts = new Uint32Array(plants.length);
    let end = 0;
    for (const [at, plant] of plants.entries()) {
      Object.freeze(plant); // a wrapper of a user can have it
      const positions = this.tagged.get(plant.tag);
      if (positions) positions.push(at);
      else this.tagged.set(plant.tag, [at]);
      this.#starts[at] = this.#json.indexOf(START, end);
      end = this.#starts[at]! + START.length;
    }
  }

  /** Returns the JSON of the plant at a position. */
  jsonAt(at: number): string {
    const end = this.#starts[at + 1] ?? this.#json.length;
    return this.#json.slice(this.#starts[at], end - 1);
  }

  /** Returns a digest of all plants, which is the same in every process. */
  digest(): MaybePromise<string> {
    return this.#digest ??= sha256(this.#json);
  }
}
