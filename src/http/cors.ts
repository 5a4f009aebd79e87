/** The CORS headers of a service, as names and values in turn. */
export interface Cors {
  /** The headers of every response. */
  readonly common: readonly string[];
  /** Returns the headers that depend on the origin of a request; absent if none do. */
  readonly headersFor?: (origin: string | undefined) => readonly string[];
  /** Whether browsers can read responses to requests of this origin. */
  isAllowed(origin: string | undefined): boolean;
}

/** The response headers that scripts can read. */
const EXPOSED = ["ETag", "WWW-Authenticate", "Allow", "Retry-After"];

/**
 * Resolves the `cors` option.
 *
 * @param setting `"*"` for all origins, `"off"` for no CORS headers, or a list of
 * origins, which can be separated by commas.
 * @param exposed More response headers that scripts can read.
 * @param name The name of the option, for messages.
 * @throws {RangeError} If an origin is not written as browsers send it.
 */
export function resolveCors(
  setting: string | readonly string[] = "*",
  exposed: readonly string[] = [],
  name = "cors",
): Cors {
  // deno-fmt-ignore
  const allow = (origin: string) => [
    "Access-Control-Allow-Origin", origin,
    "Access-Control-Expose-Headers", [...EXPOSED, ...exposed].join(", "),
  ];
  if (setting === "*") return { common: allow("*"), isAllowed: () => true };
  if (setting === "off") return { common: [], isAllowed: () => false };
  const origins = typeof setting === "string" ? setting.split(",") : setting;
  const allowed = new Map(
    origins.map((each) => {
      const origin = parseOrigin(each.trim(), name);
      return [origin, allow(origin)];
    }),
  );
  return {
    common: ["Vary", "Origin"],
    headersFor: (origin = "") => allowed.get(origin) ?? [],
    isAllowed: (origin = "") => allowed.has(origin),
  };
}

function parseOrigin(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.host && text === `${url.protocol}//${url.host}`) return text;
  throw new RangeError(
    `${name} must contain origins such as https://example.com, got ${
      JSON.stringify(text)
    }`,
  );
}
