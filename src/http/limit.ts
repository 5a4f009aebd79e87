import { quote } from "../domain/quote.ts";

/** The maximum `limit`, which is the largest signed 32-bit integer. */
export const MAX_LIMIT = 2147483647;

/** An integer without a sign or leading zeros. */
const INTEGER = /^(?:0|[1-9][0-9]{0,9})$/;

/** The usual query, which needs no parser. */
const USUAL = /^limit=(0|[1-9][0-9]{0,8})$/;

/**
 * Parses the `limit` query parameter (docs/http-api.md, section 3).
 *
 * @param query The query of the target, without its question mark.
 * @returns The limit, `undefined` if there is no limit, or an error message for
 * the client.
 */
export function readLimit(query: string): number | undefined | string {
  if (query === "") return undefined;
  const usual = USUAL.exec(query);
  if (usual) return Number(usual[1]);
  const values = new URLSearchParams(`?${query}`).getAll("limit");
  const [value] = values;
  if (value === undefined) return undefined;
  if (values.length > 1) {
    return `limit must appear only once, got ${quote(values.join(", "))}`;
  }
  if (!INTEGER.test(value) || Number(value) > MAX_LIMIT) {
    return `limit must be an integer from 0 to ${MAX_LIMIT} without leading zeros, got ${
      quote(value)
    }`;
  }
  return Number(value);
}
