import type { PlantList } from "./store.ts";

/** A list of a store of this package, which encodes its plants. */
export type EncodedList = PlantList & {
  /**
   * A text that no other plants have, whoever the user is, apart from a limit. Final when
   * the first text is read.
   */
  readonly version?: string | undefined;
  /** Returns the JSON of the plants in texts of several plants, with commas between them. */
  encode(): Iterable<string> | AsyncIterable<string>;
};

/** Whether a list encodes its plants. */
export function isEncoded(list: PlantList): list is EncodedList {
  return "encode" in list;
}
