import type { Access } from "./access.ts";
import { type AddEtag, addEtag } from "./etag.ts";
import type { EncodedPlants } from "./encoded_plants.ts";
import { createNameIndex } from "./name_index.ts";
import type { Steps } from "./steps.ts";
import type { EncodedList } from "./store.ts";
import { createTagIndex } from "./tag_index.ts";

/**
 * All plants in order, encoded once. Lists are copied from the encoded bytes, so
 * the cost of a list depends on its length, not on the size of the catalog.
 */
export interface Catalog {
  /** The number of plants. */
  readonly size: number;
  /**
   * Returns the first `count` plants that `access` allows.
   *
   * @param count The maximum number of plants, from 0 to `size`.
   */
  list(access: Access, count: number): EncodedList | Promise<EncodedList>;
}

const OPEN = 0x5b, CLOSE = 0x5d;

/**
 * Creates a catalog from encoded plants.
 *
 * @param addEtagTo Adds an ETag to a list. Pass a function if the runtime has a
 * faster hash function than the Web Crypto API.
 */
export function* createCatalog(
  plants: EncodedPlants,
  addEtagTo: AddEtag = addEtag,
): Steps<Catalog> {
  const { size, bytes, starts } = plants;
  const tags = createTagIndex(plants);
  const names = yield* createNameIndex(plants);
  /** The list of all plants, which uses `bytes` without copying them. */
  let complete: EncodedList | Promise<EncodedList> | undefined;

  function copyFirst(count: number): Uint8Array<ArrayBuffer> {
    if (count === 0) return copy([]);
    const body = bytes.slice(0, starts[count]);
    body[body.length - 1] = CLOSE;
    return body;
  }

  function copy(positions: ArrayLike<number>): Uint8Array<ArrayBuffer> {
    let length = 1;
    for (let index = 0; index < positions.length; index++) {
      length += starts[positions[index]! + 1]! - starts[positions[index]!]!;
    }
    const body = new Uint8Array(Math.max(length, 2));
    body[0] = OPEN;
    let offset = 1;
    for (let index = 0; index < positions.length; index++) {
      const at = positions[index]!;
      const piece = bytes.subarray(starts[at], starts[at + 1]);
      body.set(piece, offset);
      offset += piece.length;
    }
    body[body.length - 1] = CLOSE;
    return body;
  }

  /** Finds the first `count` plants with any of the tags or names. */
  function find(
    access: Exclude<Access, "all">,
    count: number,
  ): Uint32Array | number[] {
    // The first `count` matches are among the first `count` for each tag and name.
    const lists = [
      ...(access.tags ?? []).map((tag) => tags.find(tag, count)),
      ...(access.names ?? []).map((name) => names.find(name, count)),
    ];
    const [only] = lists;
    if (only && lists.length === 1) return only;
    const found = new Uint32Array(
      lists.reduce((sum, { length }) => sum + length, 0),
    );
    let length = 0;
    for (const list of lists) {
      found.set(list, length);
      length += list.length;
    }
    return found.sort()
      .filter((position, index) => position !== found[index - 1])
      .subarray(0, count);
  }

  return {
    size,
    list(access, count) {
      if (access !== "all") return addEtagTo(copy(find(access, count)));
      if (count < size) return addEtagTo(copyFirst(count));
      return complete ??= addEtag(bytes).then((list) => complete = list);
    },
  };
}
