import type { Access } from "./access.ts";
import { createListCache } from "./list_cache.ts";
import { type AddEtag, addEtag } from "./etag.ts";
import type { EncodedPlants } from "./encoded_plants.ts";
import { createNameIndex } from "./name_index.ts";
import type { Steps } from "./steps.ts";
import type { EncodedList } from "./store.ts";
import { createTagIndex } from "./tag_index.ts";

/**
 * Plants in their order, encoded once: a list is made of bytes that exist, and
 * what it costs depends on its own length, not on the catalogue's.
 */
export interface Catalogue {
  /** How many plants there are. */
  readonly size: number;
  /** What `access` lets a user see. */
  select(access: Access): Selection;
}

/** The plants that one access lets see. */
export interface Selection {
  /** The first `limit` of them in catalogue order, all without one. */
  list(limit?: number): EncodedList | Promise<EncodedList>;
}

/** Lists that were asked for are kept while they fit into this many bytes. */
const CACHE_BYTES = 32 * 1024 * 1024;

const COMMA = 0x2c, OPEN = 0x5b, CLOSE = 0x5d;

/**
 * Makes a catalogue of encoded plants.
 *
 * @param add Gives short lists their tags, where a runtime has a faster way
 * than the Web's.
 */
export function* createCatalogue(
  plants: EncodedPlants,
  add: AddEtag = addEtag,
): Steps<Catalogue> {
  const { size, bytes, starts } = plants;
  const tags = createTagIndex(plants);
  const names = yield* createNameIndex(plants);
  const cache = createListCache(CACHE_BYTES, add);
  let whole: EncodedList | Promise<EncodedList> | undefined;
  let selections = 0;

  function all(count: number): Uint8Array<ArrayBuffer> {
    if (count === 0) return some([]);
    const body = bytes.slice(0, starts[count]);
    body[body.length - 1] = CLOSE;
    return body;
  }

  function some(positions: ArrayLike<number>): Uint8Array<ArrayBuffer> {
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
      body[offset - 1] = COMMA; // the catalogue's last plant has a bracket there
    }
    body[body.length - 1] = CLOSE;
    return body;
  }

  /** Where the first `count` plants stand that have one of the tags or names. */
  function find(
    access: Exclude<Access, "all">,
    count: number,
  ): ArrayLike<number> {
    // The first `count` of all are among the first `count` of each.
    const lists = [
      ...(access.tags ?? []).map((tag) => tags.find(tag, count)),
      ...(access.names ?? []).map((name) => names.find(name, count)),
    ];
    const [only] = lists;
    if (only && lists.length === 1) return only;
    const found = new Set<number>();
    for (const list of lists) for (const position of list) found.add(position);
    return Uint32Array.from(found).sort().subarray(0, count);
  }

  return {
    size,
    select(access) {
      const id = selections++;
      return {
        list(limit = size) {
          const count = Math.min(limit, size);
          if (access === "all" && count === size) {
            whole ??= addEtag(bytes).then((list) => whole = list);
            return whole;
          }
          const key = `${id} ${count}`;
          return cache.get(key) ?? cache.keep(
            key,
            access === "all" ? all(count) : some(find(access, count)),
          );
        },
      };
    },
  };
}
