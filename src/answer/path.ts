/** A request target, taken apart. */
export interface Target {
  /** The path in its canonical form; `*` for the asterisk-form, `""` for what is no target of HTTP. */
  readonly path: string;
  /** The query without its question mark. */
  readonly query: string;
}

/** The scheme and authority of the absolute-form (RFC 9112 section 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#\\]+/i;

/** Characters that a URL parser leaves as they are, in a path without dot segments or escapes. */
const CANONICAL = /^(?:\/[A-Za-z0-9\-_~]*)+$/;

/** An escaped character that is unreserved, so that escaping it means nothing (RFC 3986 section 2.3). */
const ESCAPED_UNRESERVED =
  /%(?:2D|2E|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

/** Targets taken apart before: most requests have one of a few. */
const parsed = new Map<string, Target>();

/** How many are remembered, and up to which length. */
const MAX_PARSED = 1_000, MAX_LENGTH = 256;

/**
 * Takes a request target apart as a WHATWG URL parser does, whatever host it
 * names. Only escapes that mean nothing are resolved: `/%70lants` is `/plants`,
 * but `%2F`, `//`, a slash at the end and the case stay what they are.
 *
 * @param target The target in origin-form, absolute-form or asterisk-form.
 */
export function parseTarget(target: string): Target {
  let found = parsed.get(target);
  if (!found) {
    found = parse(target);
    if (parsed.size === MAX_PARSED) parsed.clear();
    if (target.length <= MAX_LENGTH) parsed.set(target, found);
  }
  return found;
}

function parse(target: string): Target {
  const relative = withoutOrigin(target);
  const mark = relative.indexOf("?");
  const path = mark === -1 ? relative : relative.slice(0, mark);
  if (CANONICAL.test(path) && !relative.includes("#")) {
    return { path, query: mark === -1 ? "" : relative.slice(mark + 1) };
  }
  if (target === "*") return { path: "*", query: "" };
  if (!/^(?:[/?#\\]|$)/.test(relative)) return { path: "", query: "" };
  const { pathname, search } = new URL(`http://x${relative}`);
  return { path: canonicalPath(pathname), query: search.slice(1) };
}

/** A target without the scheme and authority of the absolute-form. */
export function withoutOrigin(target: string): string {
  return target.startsWith("/") ? target : target.replace(ORIGIN, "");
}

function canonicalPath(pathname: string): string {
  return pathname.replace(ESCAPED_UNRESERVED, decodeURIComponent);
}

/** Segments that are not empty, without what would end the path. */
const SEGMENTS = /^(?:\/[^/?#\\\s\p{Cc}]+)+$/u;

/** A segment that a URL parser resolves away. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * Checks the path under which everything is served.
 *
 * @param basePath Such as `/api`: starts with a slash and does not end with one.
 * @returns The path in its canonical form, `""` where none is given.
 * @throws {RangeError} When it can't be the start of a path.
 */
export function resolveBasePath(basePath: string | undefined): string {
  if (basePath === undefined) return "";
  if (
    !SEGMENTS.test(basePath) || DOT_SEGMENT.test(basePath) ||
    !basePath.isWellFormed()
  ) {
    throw new RangeError(
      `the base path must start with a slash and not end with one, like /api, not ${
        JSON.stringify(basePath)
      }`,
    );
  }
  return parseTarget(basePath).path;
}
