import { sha256 } from "../internal/digest.ts";
import type { MaybePromise } from "../internal/maybe_promise.ts";
import type { Plant } from "./plant.ts";

/** All plants, in catalog order, and their JSON, so that each is encoded once. It never changes. */
export class Catalog {
  /** The plants. */
  readonly plants: readonly Plant[];
  /** The positions of the plants with each tag. */
  readonly tagged: Map<string | undefined, number[]> = new Map();
  /** The JSON of all plants. A text for each plant would take more memory. */
  readonly #json: string;
  /** Where the JSON of each plant starts; the last number is where that of a next plant would. */
  readonly #starts: Uint32Array;
  #digest: MaybePromise<string> | undefined;

  constructor(plants: readonly Plant[]) {
    this.plants = plants;
    this.#json = JSON.stringify(plants);
    this.#starts = new Uint32Array(plants.length + 1);
    let start = "[".length;
    for (const [at, plant] of plants.entries()) {
      const positions = this.tagged.get(plant.tag);
      if (positions) positions.push(at);
      else this.tagged.set(plant.tag, [at]);
      this.#starts[at] = start;
      start += JSON.stringify(plant).length + ",".length;
    }
    this.#starts[plants.length] = start;
  }

  /** Returns the JSON of the plant at a position. */
  jsonAt(at: number): string {
    return this.#json.slice(this.#starts[at], this.#starts[at + 1]! - 1);
  }

  /** Returns a digest of all plants, which is the same in every process. */
  digest(): MaybePromise<string> {
    return this.#digest ??= sha256(this.#json);
  }
}
