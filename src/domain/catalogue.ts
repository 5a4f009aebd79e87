import type { Access } from "./access.ts";
import { createListCache } from "./list_cache.ts";
import { encodeList } from "./encode.ts";
import type { Plant } from "./plant.ts";
import type { EncodedList } from "./store.ts";

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

const NEWLINE = 0x0a, COMMA = 0x2c, OPEN = 0x5b, CLOSE = 0x5d;

/** Encodes and indexes `plants`, which are taken to be valid. */
export function createCatalogue(plants: readonly Plant[]): Catalogue {
  const size = plants.length;
  const { bytes, starts } = encodePlants(plants);
  const tags = indexBy(plants, ({ tag }) => tag);
  const names = indexBy(plants, ({ name }) => name);
  const cache = createListCache(CACHE_BYTES);
  let whole: EncodedList | Promise<EncodedList> | undefined;
  let selections = 0;

  function all(count: number): Uint8Array<ArrayBuffer> {
    if (count === 0) return some([]);
    const body = bytes.slice(0, starts[count]);
    body[body.length - 1] = CLOSE;
    return body;
  }

  function some(positions: readonly number[]): Uint8Array<ArrayBuffer> {
    const pieces = positions.map((at) =>
      bytes.subarray(starts[at], starts[at + 1])
    );
    const length = pieces.reduce((sum, piece) => sum + piece.length, 1);
    const body = new Uint8Array(Math.max(length, 2));
    body[0] = OPEN;
    let offset = 1;
    for (const piece of pieces) {
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
  ): readonly number[] {
    const lists = [
      ...(access.tags ?? []).map((tag) => tags.get(tag)),
      ...(access.names ?? []).map((name) => names.get(name)),
    ];
    // The first `count` of all are among the first `count` of each.
    const found = new Set(lists.flatMap((list) => list?.slice(0, count) ?? []));
    return [...found].sort((a, b) => a - b).slice(0, count);
  }

  return {
    size,
    select(access) {
      const first = selections++ * 2 ** 32; // a limit is below 2 ** 31
      return {
        list(limit = size) {
          const count = Math.min(limit, size);
          if (access === "all" && count === size) {
            whole ??= encodeList(bytes).then((list) => whole = list);
            return whole;
          }
          return cache.get(first + count) ?? cache.keep(
            first + count,
            access === "all" ? all(count) : some(find(access, count)),
          );
        },
      };
    },
  };
}

/**
 * The JSON array of all plants. Plant `i` and the byte behind it, a comma or the
 * bracket that closes the array, are the bytes from `starts[i]` to
 * `starts[i + 1]`.
 */
function encodePlants(plants: readonly Plant[]): {
  bytes: Uint8Array<ArrayBuffer>;
  starts: Uint32Array;
} {
  // JSON.stringify escapes line feeds, so that they can mark the commas.
  const lines = plants.map(({ name, tag }) =>
    JSON.stringify(tag === undefined ? { name } : { name, tag })
  );
  const bytes = new TextEncoder().encode(`[${lines.join("\n")}]`);
  const starts = new Uint32Array(plants.length + 1);
  let plant = 0;
  starts[plant++] = 1;
  for (
    let at = bytes.indexOf(NEWLINE);
    at !== -1;
    at = bytes.indexOf(NEWLINE, at + 1)
  ) {
    bytes[at] = COMMA;
    starts[plant++] = at + 1;
  }
  if (plants.length > 0) starts[plant] = bytes.length;
  return { bytes, starts };
}

/** The positions of the plants for each value that `key` gives. */
function indexBy(
  plants: readonly Plant[],
  key: (plant: Plant) => string | undefined,
): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (const [position, plant] of plants.entries()) {
    const value = key(plant);
    if (value === undefined) continue;
    const positions = index.get(value);
    if (positions) positions.push(position);
    else index.set(value, [position]);
  }
  return index;
}
