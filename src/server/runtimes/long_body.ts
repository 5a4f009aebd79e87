import type { Plant } from "../../domain/plant.ts";
import type { ServiceOptions } from "../../http/handler_options.ts";
import type { PartedBody } from "../../http/response.ts";

/** The size of a part, in bytes. A longer list is sent in parts. */
export const PART_BYTES = 16_384;

/** Divides the JSON of a list into parts if it is long. */
export const divide: Required<ServiceOptions>["divide"] = (json, plants) =>
  typeof json === "string" || json.length <= PART_BYTES
    ? json
    : new LongBody(json, plants);

/**
 * The JSON of a long list. It iterates over parts, of which a client that reads slowly
 * makes the server keep one.
 */
export class LongBody implements PartedBody {
  /** The size of all parts, in bytes. */
  readonly length: number;
  #parts: Uint8Array[] = [];
  readonly #plants: (() => Iterable<Plant>) | undefined;

  /**
   * @param plants Returns the plants in `json`, whenever it is called; absent if they
   * can change.
   */
  constructor(json: Uint8Array, plants?: () => Iterable<Plant>) {
    this.length = json.length;
    for (let at = 0; at < json.length; at += PART_BYTES) {
      this.#parts.push(json.slice(at, at + PART_BYTES)); // a view would keep all of it
    }
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
      if (!part) return yield* encodeFrom(this.#plants?.() ?? [], sent);
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
    const part = encoder.encode(text);
    text = "";
    if (skipped < part.length) yield part.subarray(skipped);
    skipped = Math.max(0, skipped - part.length);
  }
  yield encoder.encode(`${text}]`).subarray(skipped);
}
