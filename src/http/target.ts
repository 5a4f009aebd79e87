/** The scheme and authority of a target in absolute-form (RFC 9112 section 3.2.2). */
export const ORIGIN: RegExp = /^https?:\/\/[^/?#\\]+/i;

/** The parts of a request target. */
export interface Target {
  /** The path; `*` for the asterisk-form, `""` for an invalid target. */
  readonly path: string;
  /** The query without its question mark. */
  readonly query: string;
}

/**
 * Splits a target at its question mark without normalizing it.
 *
 * @param target The target in origin-form or asterisk-form.
 */
export function splitTarget(target: string): Target {
  const end = target.indexOf("?");
  if (end === -1) return { path: target, query: "" };
  return { path: target.slice(0, end), query: target.slice(end + 1) };
}

/** A percent-encoded unreserved character, which is equivalent to the character itself (RFC 3986 section 2.3). */
const ENCODED_UNRESERVED =
  /%(?:2D|2E|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

/**
 * Splits a target like a WHATWG URL parser and decodes unreserved characters:
 * `/%70lants` becomes `/plants`. `%2F`, `//`, trailing slashes, and letter case
 * are significant.
 *
 * @param target The target in origin-form or asterisk-form.
 */
export function parseTarget(target: string): Target {
  if (target === "*") return { path: "*", query: "" };
  if (!/^(?:[/?#\\]|$)/.test(target)) return { path: "", query: "" };
  const { pathname, search } = new URL(`http://x${target}`);
  return {
    path: pathname.replace(ENCODED_UNRESERVED, decodeURIComponent),
    query: search.slice(1),
  };
}
