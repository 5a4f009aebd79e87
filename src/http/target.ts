/** The scheme and authority of a target in absolute-form (RFC 9112 section 3.2.2). */
export const ORIGIN: RegExp = /^https?:\/\/[^/?#\\]+/i;

/** The parts of a request target. */
export interface Target {
  /** The path; `*` for the asterisk-form, `""` for an invalid target. */
  readonly path: string;
  /** The query without its question mark. */
  readonly query: string;
}

/** A target that a URL parser would not change. */
const SIMPLE = /^(\/[\w/-]*)(?:\?([^#]*))?$/;

/** Percent-encoded unreserved characters, which mean the same as the decoded ones (RFC 3986 section 2.3). */
const ENCODED_UNRESERVED =
  /%(?:2D|2E|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

/**
 * Splits a target like a WHATWG URL parser and decodes unreserved characters:
 * `/%70lants` becomes `/plants`. `%2F`, `//`, trailing slashes, and letter case
 * are significant.
 *
 * @param target The target in origin-form, absolute-form, or asterisk-form.
 */
export function parseTarget(target: string): Target {
  const plain = SIMPLE.exec(target);
  if (plain) return { path: plain[1]!, query: plain[2] ?? "" };
  if (target === "*") return { path: "*", query: "" };
  const relative = target.replace(ORIGIN, "");
  if (!/^(?:[/?#\\]|$)/.test(relative)) return { path: "", query: "" };
  const { pathname, search } = new URL(`http://x${relative}`);
  return {
    path: pathname.replace(ENCODED_UNRESERVED, decodeURIComponent),
    query: search.slice(1),
  };
}
