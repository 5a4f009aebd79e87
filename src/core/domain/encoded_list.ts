import type { PlantList } from "./store.ts";

/**
 * The minimum length of a part of a long list, in characters. For each slow client, the
 * process keeps a part as text, and as bytes.
 */
export const CHUNK_LENGTH = 12_288;

/** The name of the method that only lists of this package have. */
export const ENCODE: unique symbol = Symbol("encode");

/** A list of a store of this package, which knows what it is made of, and encodes its plants. */
export type EncodedList = PlantList & {
  /**
   * A text that identifies the plants of the list before the limit, for any user, or
   * `undefined` if they can change at any time. A database can have a newer version when
   * the first plants are encoded.
   */
  readonly version: string | undefined;
  /** The limit of the list, which a wrapper of a user can change. */
  readonly limit: number;
  /**
   * Returns the JSON of the plants in parts, with commas only between the plants of a part.
   */
  [ENCODE](): Iterable<string> | AsyncIterable<string>;
};

/** Whether a list of this package has the plants before a limit, and no others. */
export function isEncoded(list: PlantList, limit: number): list is EncodedList {
  return ENCODE in list && (list as EncodedList).limit === limit;
}
