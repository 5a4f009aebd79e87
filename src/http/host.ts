import { ORIGIN } from "./target.ts";

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
  try {
    return isValidHost(origin.replace(/^\w+:\/\/(?:.*@)?/, ""))
      ? new URL(origin).origin
      : "";
  } catch {
    return "";
  }
}
