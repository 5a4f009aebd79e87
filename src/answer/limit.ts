/** The greatest int32, which is the format of `limit`. */
const MAX = 2147483647;

/** How much of what came is shown to the client again. */
const SHOWN = 64;

/** What nearly every query is: fast to read, and exact. */
const PLAIN = /^(?:limit=(0|[1-9][0-9]{0,8}))?$/;

/**
 * Reads the query parameter `limit` (section 4 of the interface).
 *
 * @param query The query of the target, without its question mark.
 * @returns The number, undefined where there is none, or what is wrong in words
 * for the client.
 */
export function readLimit(query: string): number | undefined | string {
  const plain = PLAIN.exec(query);
  if (plain) return plain[1] === undefined ? undefined : Number(plain[1]);

  const values = new URLSearchParams(query).getAll("limit");
  const [value] = values;
  if (value === undefined) return undefined;
  if (values.length > 1) {
    return `limit must be given once, not as ${quote(values.join(", "))}`;
  }
  if (!/^(?:0|[1-9][0-9]{0,9})$/.test(value) || Number(value) > MAX) {
    return `limit must be a whole number from 0 to ${MAX} without leading zeros, not ${
      quote(value)
    }`;
  }
  return Number(value);
}

/** At most 64 characters of `text`, in quotes, with control characters escaped. */
function quote(text: string): string {
  const characters = [...text];
  const shown = JSON.stringify(characters.slice(0, SHOWN).join(""));
  return characters.length > SHOWN ? `${shown} and so on` : shown;
}
