import { quote } from "../internal/quote.ts";

/** The maximum `limit`, which is the largest signed 32-bit integer. */
export const MAX_LIMIT = 2147483647;

/** An integer without a sign or leading zeros. */
const INTEGER = /^(?:0|[1-9][0-9]{0,9})$/;

/** The usual query. Not decoding it saves 4 % of the time of a request on Node.js, and 8 % on Bun. */
const USUAL = /^limit=(0|[1-9][0-9]{0,8})$/;

/** The limit, or a message for the client. Without a limit in the query, both are absent. */
export interface Limit {
  readonly limit?: number;
  readonly problem?: string;
}

/**
 * Parses the `limit` query parameter (docs/http-api.md, section 3).
 *
 * @param query The query of the target, without its question mark.
 */
export function readLimit(query: string): Limit {
  if (query === "") return {};
  const usual = USUAL.exec(query);
  if (usual) return { limit: Number(usual[1]) };
  const values = new URLSearchParams(`?${query}`).getAll("limit");
  const [value] = values;
  if (value === undefined) return {};
  if (values.length > 1) {
    const shown = quote(values.join(", "));
    return { problem: `limit must appear only once, got ${shown}` };
  }
  if (INTEGER.test(value) && Number(value) <= MAX_LIMIT) {
    return { limit: Number(value) };
  }
  const expected = `an integer from 0 to ${MAX_LIMIT} without leading zeros`;
  return { problem: `limit must be ${expected}, got ${quote(value)}` };
}
