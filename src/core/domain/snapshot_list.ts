import type { Access } from "./access.ts";
import type { Catalog } from "./catalog.ts";
import type { Plant } from "./plant.ts";

/** The length of the texts that a list yields, in characters. */
const TEXT_LENGTH = 16_384;

/** The first `limit` plants that a user can see. */
export class SnapshotList implements Iterable<Plant> {
  readonly version: string;
  readonly #catalog: Catalog;
  readonly #positions: readonly (readonly number[])[];
  readonly #limit: number;

  constructor(
    version: string,
    catalog: Catalog,
    positions: readonly (readonly number[])[],
    limit: number = Infinity,
  ) {
    this.version = version;
    this.#catalog = catalog;
    this.#positions = positions;
    this.#limit = limit;
  }

  *[Symbol.iterator](): Generator<Plant> {
    for (const at of merge(this.#positions, this.#limit)) {
      yield this.#catalog.plants[at]!;
    }
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
    for (const at of merge(this.#positions, this.#limit)) {
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

/** Returns the positions of the plants that an access includes, in ascending lists that can overlap. */
export function findPositions(
  { plants, positions, tagged }: Catalog,
  access: Access,
): readonly (readonly number[])[] {
  if (access === "all") return [positions];
  const names = new Set(access.names);
  return [
    ...(access.tags ?? []).map((tag) => tagged.get(tag) ?? []),
    names.size > 0 ? positions.filter((at) => names.has(plants[at]!.name)) : [],
  ];
}

/** Merges ascending lists that can overlap, up to `limit` numbers. */
function* merge(
  lists: readonly (readonly number[])[],
  limit: number,
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
