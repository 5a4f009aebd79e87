import type { Reply } from "./reply.ts";
import type { AnswerRequest } from "./request.ts";

/** The header fields that go with an answer, whatever the answer is. */
export interface Fields {
  readonly fields: Readonly<Record<string, string>>;
  /** Replies that have them already, by the replies without. */
  readonly completed: WeakMap<Reply, Reply>;
}

/** Which origins may read the answers in a browser. */
export interface Cors {
  /** The fields of the answer to a request: one object for equal fields. */
  fields(request: Pick<AnswerRequest, "header">): Fields;
}

const EXPOSED = ["ETag", "WWW-Authenticate", "Allow", "Retry-After"];

/** Whether browsers may read the answer that has these fields. */
export function isAllowed(fields: Fields): boolean {
  return "Access-Control-Allow-Origin" in fields.fields;
}

/**
 * Resolves the setting for cross-origin requests.
 *
 * @param setting `"*"` for any origin, `"off"` for no CORS fields at all, or the
 * origins, as a list or separated by commas.
 * @param exposed The fields that scripts may read, beside those of every answer.
 * @throws {RangeError} When an origin is not one as a browser sends it.
 */
export function resolveCors(
  setting: string | readonly string[] = "*",
  exposed: readonly string[] = [],
): Cors {
  const allow = (origin: string) => ({
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": [...EXPOSED, ...exposed].join(", "),
  });
  if (setting === "off" || setting === "*") {
    const fields = toFields(setting === "*" ? allow("*") : {});
    return { fields: () => fields };
  }
  const origins = typeof setting === "string" ? setting.split(",") : setting;
  const vary = { Vary: "Origin" };
  const none = toFields(vary);
  const allowed = new Map(
    origins.map((each) => {
      const origin = parseOrigin(each.trim());
      return [origin, toFields({ ...allow(origin), ...vary })];
    }),
  );
  return {
    fields: (request) => allowed.get(request.header("origin") ?? "") ?? none,
  };
}

function toFields(fields: Fields["fields"]): Fields {
  return { fields, completed: new WeakMap() };
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.host && text === `${url.protocol}//${url.host}`) return text;
  throw new RangeError(
    `an allowed origin must be like https://example.com, not ${
      JSON.stringify(text)
    }`,
  );
}
