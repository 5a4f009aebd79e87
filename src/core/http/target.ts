/** The scheme and authority of a target in absolute-form (RFC 9112 section 3.2.2). */
export const ORIGIN: RegExp = /^https?:\/\/[^/?#\\]+/i;

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
 * are significant, except in `%2f`.
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
    path: pathname.replace(ENCODED_UNRESERVED, decodeURIComponent)
      .replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase()),
    query: search.slice(1),
  };
}

/** `uri-host [ ":" port ]` with a name or an IPv4 address (RFC 9110 section 7.2). */
const NAME = /^((?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+)(?::[0-9]*)?$/;

/** The same syntax with an IPv6 address. */
const ADDRESS = /^(\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]*)?$/;

/**
 * The maximum length of a name (RFC 3986 section 3.2.2). URL parsers take
 * quadratic time for long names.
 */
const MAX_LENGTH = 255;

/**
 * Whether `host` is a host with an optional port. Some runtimes build the request
 * URL from it, so a slash or a question mark in the host would change the path.
 */
export function isValidHost(host: string): boolean {
  const name = NAME.exec(host)?.[1];
  if (name !== undefined) return name.length <= MAX_LENGTH;
  const address = ADDRESS.exec(host)?.[1];
  return address !== undefined && URL.canParse(`http://${address}`);
}

/**
 * Returns the origin of a URL, such as `http://localhost:8000`.
 *
 * @returns The origin without a user, or `""` if the URL has no valid host, or if
 * its port is too large, which HTTP allows.
 */
export function normalizeOrigin(url: string): string {
  const [origin = ""] = ORIGIN.exec(url) ?? [];
  const host = origin.replace(/^\w+:\/\/(?:.*@)?/, "");
  return isValidHost(host) && URL.canParse(origin)
    ? new URL(origin).origin
    : "";
}
