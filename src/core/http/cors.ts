import { quote } from "../internal/quote.ts";
import { isValidHost } from "./target.ts";

export interface Cors {
  /** Whether the headers depend on the origin of the request. */
  readonly varies: boolean;
  /**
   * Returns the headers for an origin, as alternating names and values; none if
   * scripts from this origin cannot read responses.
   */
  headersFor(origin?: string): readonly string[];
}

/** The response headers that scripts can read. */
const EXPOSED = ["ETag", "WWW-Authenticate", "Allow", "Retry-After"];

/**
 * Resolves the `cors` option.
 *
 * @param setting `"*"` for all origins, `"off"` for no CORS headers, or the
 * allowed origins, in an array or separated by commas.
 * @param exposed Additional response headers that scripts can read.
 * @param name The name of the option, for messages.
 * @throws {TypeError} If the setting is not a string or an array of strings.
 * @throws {RangeError} If an origin is not in the form that browsers send.
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
  if (setting === "*" || setting === "off") {
    const headers = setting === "*" ? allow("*") : [];
    return { varies: false, headersFor: () => headers };
  }
  const origins: unknown = typeof setting === "string"
    ? setting.split(",")
    : setting;
  if (
    !Array.isArray(origins) ||
    !origins.every((each) => typeof each === "string")
  ) {
    throw new TypeError(`${name} must be a string or an array of strings`);
  }
  const allowed = new Map(
    origins.map((each) => {
      const origin = parseOrigin(each.trim(), name);
      // deno-fmt-ignore
      return [origin, [
        ...allow(origin),
        "Access-Control-Allow-Credentials", "true",
      ]];
    }),
  );
  return {
    varies: true,
    headersFor: (origin = "") => allowed.get(origin) ?? [],
  };
}

function parseOrigin(text: string, name: string): string {
  // URL parsers take quadratic time for long hosts, which are invalid.
  const isValid = isValidHost(text.replace(/^[^:]*:\/\//, "")) &&
    !text.includes("*") && URL.canParse(text);
  if (isValid) {
    const { protocol, host } = new URL(text);
    if (text === `${protocol}//${host}`) return text;
  }
  const expected = "origins such as https://example.com";
  throw new RangeError(`${name} must contain ${expected}, got ${quote(text)}`);
}
