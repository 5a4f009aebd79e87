import type { Access } from "./access.ts";
import type { Catalog } from "./catalog.ts";
import type { Plant } from "./plant.ts";

/** The length of the texts that a list yields, in characters. */
const TEXT_LENGTH = 16_384;

/** The first `limit` plants that a user can see. */
export class SnapshotList implements Iterable<Plant> {
  readonly version: string;
  readonly #catalog: Catalog;
  readonly #find: Find;
  readonly #limit: number | undefined;

  constructor(
    version: string,
    catalog: Catalog,
    find: Find,
    limit: number | undefined,
  ) {
    this.version = version;
    this.#catalog = catalog;
    this.#find = find;
    this.#limit = limit;
  }

  *[Symbol.iterator](): Generator<Plant> {
    for (const at of this.#find(this.#limit)) yield this.#catalog.plants[at]!;
  }

  encodeShort(max: number): string | undefined {
    let json = "[", separator = "";
    for (const text of this.encodeLong()) {
      json += separator + text;
      separator = ",";
      if (json.length >= max) return undefined;
    }
    return `${json}]`;
  }

  *encodeLong(): Generator<string> {
    let texts: string[] = [], length = 0;
    for (const at of this.#find(this.#limit)) {
      const json = this.#catalog.jsonAt(at);
      texts.push(json);
      length += json.length;
      if (length < TEXT_LENGTH) continue;
      yield texts.join();
      texts = [];
      length = 0;
    }
    if (texts.length > 0) yield texts.join();
  }
}

/** The positions of the first `limit` plants that a user can see. */
type Find = (limit: number | undefined) => Iterable<number>;

/** The maximum number of lists of positions to merge, because each step looks at all of them. */
const MAX_LISTS = 16;

/** Returns a function that finds the plants that an access includes. */
export function createFind({ plants, tagged }: Catalog, access: Access): Find {
  if (access === "all") return (limit) => filter(plants, () => true, limit);
  const names = new Set(access.names);
  const lists = (access.tags ?? []).map((tag) => tagged.get(tag) ?? []);
  if (lists.length > MAX_LISTS) {
    const tags = new Set<string | undefined>(access.tags);
    const isVisible = ({ name, tag }: Plant) =>
      tags.has(tag) || names.has(name);
    return (limit) => filter(plants, isVisible, limit);
  }
  if (names.size > 0) {
    lists.push([...filter(plants, ({ name }) => names.has(name))]);
  }
  return (limit) => merge(lists, limit);
}

/** Finds the positions of the first `limit` plants that are visible. */
function* filter(
  plants: readonly Plant[],
  isVisible: (plant: Plant) => boolean,
  limit: number = Infinity,
): Generator<number> {
  let count = 0;
  for (let at = 0; at < plants.length && count < limit; at++) {
    if (!isVisible(plants[at]!)) continue;
    count++;
    yield at;
  }
}

/** Merges ascending lists of positions, which can have some in common, up to `limit`. */
function* merge(
  lists: readonly (readonly number[])[],
  limit: number = Infinity,
): Generator<number> {
  const starts = lists.map(() => 0);
  for (let count = 0; count < limit; count++) {
    let first = Infinity;
    for (let at = 0; at < lists.length; at++) {
      first = Math.min(first, lists[at]![starts[at]!] ?? Infinity);
    }
    if (first === Infinity) return;
    yield first;
    for (let at = 0; at < lists.length; at++) {
      if (lists[at]![starts[at]!] === first) starts[at]!++;
    }
  }
}
