import type { MaybePromise } from "../internal/maybe_promise.ts";
import type { PlantList } from "./store.ts";

/** A list of a store of this package, which encodes its plants. */
export type EncodedList = PlantList & {
  /**
   * A text that no other plants have, whoever the user is, apart from a limit. Final when
   * the plants, or some of them, are encoded.
   */
  readonly version?: string | undefined;
  /** Returns the JSON of the list, or `undefined` if it is longer than `max` characters. */
  encodeShort(max: number): MaybePromise<string | undefined>;
  /** Returns texts of about 16 kB: the JSON of the plants, with commas between those in a text. */
  encodeLong(): Iterable<string> | AsyncIterable<string>;
};

/** Whether a list encodes its plants. */
export function isEncoded(list: PlantList): list is EncodedList {
  return "encodeShort" in list;
}
