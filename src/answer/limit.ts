import { quote } from "../domain/quote.ts";

/** The greatest int32, which is the format of `limit`. */
export const MAX_LIMIT = 2147483647;

/**
 * Reads the query parameter `limit` (section 4 of the interface).
 *
 * @param query The query of the target, without its question mark.
 * @returns The number, undefined where there is none, or what is wrong in words
 * for the client.
 */
export function readLimit(query: string): number | undefined | string {
  if (query === "") return undefined;
  const plain = readPlain(query);
  if (plain !== undefined) return plain;

  const values = new URLSearchParams(`?${query}`).getAll("limit");
  const [value] = values;
  if (value === undefined) return undefined;
  if (values.length > 1) {
    return `limit must be given once, not as ${quote(values.join(", "))}`;
  }
  if (!/^(?:0|[1-9][0-9]{0,9})$/.test(value) || Number(value) > MAX_LIMIT) {
    return `limit must be a whole number from 0 to ${MAX_LIMIT} without leading zeros, not ${
      quote(value)
    }`;
  }
  return Number(value);
}

/** Reads `limit=` and up to nine digits, which nearly every query is; undefined for any other. */
function readPlain(query: string): number | undefined {
  const length = query.length;
  if (!query.startsWith("limit=") || length < 7 || length > 15) {
    return undefined;
  }
  let number = 0;
  for (let at = 6; at < length; at++) {
    const digit = query.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    if (number === 0 && at > 6) return undefined; // a leading zero
    number = number * 10 + digit;
  }
  return number;
}
