import type { Plant } from "../../core/domain/plant.ts";
import { createFilter, type View } from "../../core/domain/snapshot.ts";
import type { ServiceOptions } from "../../core/http/handler_options.ts";
import type { PartedBody } from "../../core/http/response.ts";

/** The size of a part, in bytes. A longer list is sent in parts. */
export const PART_BYTES = 16_384;

/** Divides the JSON of a list into parts if it is long. */
export const divide: Required<ServiceOptions>["divide"] = (json, view, limit) =>
  typeof json === "string" || json.length <= PART_BYTES
    ? json
    : new LongBody(json, view && (() => iterate(view, limit)));

/** Iterates over the plants that `selectPlants` returns, which takes more time but no memory. */
function* iterate(
  { plants, access }: View,
  limit: number = Infinity,
): Generator<Plant> {
  const isVisible = createFilter(access);
  let count = 0;
  for (const plant of plants) {
    if (count === limit) return;
    if (!isVisible(plant)) continue;
    count++;
    yield plant;
  }
}

/**
 * The JSON of a long list. It iterates over its parts, so that the server keeps only those
 * that a slow client is reading.
 */
export class LongBody implements PartedBody {
  /** The size of all parts, in bytes. */
  readonly length: number;
  #parts: readonly Uint8Array[];
  readonly #plants: (() => Iterable<Plant>) | undefined;

  /**
   * @param plants Returns the plants in `json`, whenever it is called; absent if they
   * can change.
   */
  constructor(json: Uint8Array, plants?: () => Iterable<Plant>) {
    this.length = json.length;
    this.#parts = [...split(json)];
    this.#plants = plants;
  }

  /** Drops the parts, unless the plants can change. Iterators encode them again. */
  drop(): void {
    if (this.#plants) this.#parts = [];
  }

  *[Symbol.iterator](): Generator<Uint8Array> {
    let sent = 0;
    for (let index = 0; sent < this.length; index++) {
      const part = this.#parts[index];
      if (!part) return yield* encodeFrom(this.#plants!(), sent);
      sent += part.length;
      yield part;
    }
  }
}

/** Encodes a list in parts, without its first bytes. */
function* encodeFrom(
  plants: Iterable<Plant>,
  start: number,
): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let skipped = start, text = "[", separator = "";
  for (const plant of plants) {
    text += separator + JSON.stringify(plant);
    separator = ",";
    if (text.length < PART_BYTES) continue;
    const bytes = encoder.encode(text);
    text = "";
    yield* split(bytes.subarray(skipped));
    skipped = Math.max(0, skipped - bytes.length);
  }
  yield* split(encoder.encode(`${text}]`).subarray(skipped));
}

/** Divides bytes into parts, which are copies, because a view would keep all bytes. */
function* split(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    yield bytes.slice(at, at + PART_BYTES);
  }
}
