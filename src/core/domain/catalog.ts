import { sha256 } from "../internal/digest.ts";
import type { MaybePromise } from "../internal/maybe_promise.ts";
import type { Plant } from "./plant.ts";

/** All plants, in catalog order. It never changes. */
export class Catalog {
  /** The plants. */
  readonly plants: readonly Plant[];
  #digest: MaybePromise<string> | undefined;

  constructor(plants: readonly Plant[]) {
    for (const plant of plants) Object.freeze(plant); // a wrapper of a user can have it
    this.plants = plants;
  }

  /** Returns a digest of all plants, which is the same in every process. */
  digest(): MaybePromise<string> {
    return this.#digest ??= sha256(JSON.stringify(this.plants));
  }
}
