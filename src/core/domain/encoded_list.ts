import type { PlantList } from "./store.ts";

/** A list of a store of this package, which encodes its plants. */
export type EncodedList = PlantList & {
  /**
   * A text that identifies the plants of the list before the limit, for any user. It can
   * change until the first plants are encoded.
   */
  readonly version?: string | undefined;
  /** Returns the JSON of the list, or `undefined` if it is longer than `max` characters. */
  encodeShort?(max: number): string | undefined;
  /**
   * Returns the JSON of the plants in parts, with commas only between the plants of a part:
   * about 16 kB, or a page of a database.
   */
  encodeLong(): Iterable<string> | AsyncIterable<string>;
};

/** Whether a list encodes its plants. */
export function isEncoded(list: PlantList): list is EncodedList {
  return "encodeLong" in list;
}
