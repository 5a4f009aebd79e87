import type { Access } from "../../mod.ts";
import { PLANTS, USERS } from "../../src/verify/data.ts";
import type { FetchHandler } from "../../src/verify/verify.ts";

// A handler in parts, and what others write instead of each part.

/** The parts of the handler. */
interface Parts {
  /** Returns the values of the parameter `limit` in a query. */
  readLimits(query: string): readonly string[];
  /** Returns the limit, or `undefined` if the values are rejected. */
  parseLimit(values: readonly string[]): number | undefined;
  /** Returns the token in the Authorization header. */
  readToken(authorization: string): string | undefined;
  /** Whether the token that a client has sent is one of a user. */
  isToken(sent: string, known: string): boolean;
  /** Whether a token with this expiration date or time is valid. */
  isValid(expires: string): boolean;
  /** Whether a user with this access sees a plant. */
  canSee(access: Exclude<Access, "all">, name: string, tag: string): boolean;
}

const MAX = 2 ** 31 - 1;

const CORRECT: Parts = {
  readLimits: (query) => new URLSearchParams(query).getAll("limit"),
  parseLimit([value = `${MAX}`, ...others]) {
    const isInteger = /^(?:0|[1-9]\d{0,9})$/.test(value);
    return isInteger && others.length === 0 && Number(value) <= MAX
      ? Number(value)
      : undefined;
  },
  readToken: (authorization) => /^bearer +(\S+)$/i.exec(authorization)?.[1],
  isToken: (sent, known) => sent === known,
  isValid: (expires) => Date.now() < Date.parse(expires),
  canSee: ({ names = [], tags = [] }, name, tag) =>
    names.includes(name) || tags.includes(tag),
};

/** Creates the handler with other parts. */
function create(changed: Partial<Parts> = {}): FetchHandler {
  const parts = { ...CORRECT, ...changed };
  const known = Object.values(USERS).flatMap(({ tokens, ...user }) =>
    tokens.map((each) => ({ expires: "2999-01-01", ...toObject(each), user }))
  );
  return (request) => {
    const { search } = new URL(request.url);
    const authorization = request.headers.get("authorization");
    const token = parts.readToken(authorization ?? "");
    if (token === undefined) return fail(401);
    const found = known.find((each) => parts.isToken(token, each.token));
    if (!found || !parts.isValid(found.expires)) {
      return fail(401, ', error="invalid_token"');
    }
    const limit = parts.parseLimit(parts.readLimits(search.slice(1)));
    if (limit === undefined) return fail(400);
    const { plants } = found.user;
    return Response.json(
      PLANTS.filter(({ name, tag = "" }) =>
        plants === "all" || parts.canSee(plants, name, tag)
      ).slice(0, limit),
    );
  };
}

function toObject(token: unknown): { token: string; expires?: string } {
  return typeof token === "string" ? { token } : Object(token);
}

function fail(status: number, error = ""): Response {
  const headers = { "WWW-Authenticate": `Bearer realm="x"${error}` };
  return Response.json({ error: status, message: "x" }, { status, headers });
}

/** Splits a query without decoding it. */
const split = (query: string, separator: string | RegExp = "&") =>
  query.split(separator).map((each) => {
    const [name = "", ...value] = each.split("=");
    return [name, value.join("=")] as const;
  });
const decode = (text: string) => new URLSearchParams(text).keys().next().value;
const valuesOf = (
  pairs: readonly (readonly [string | undefined, string | undefined])[],
) => pairs.filter(([name]) => name === "limit").map(([, value]) => value ?? "");

/** Parses the first value with a function, without a check. */
const only = (parse: (value: string) => number | undefined) => ({
  parseLimit: ([value]: readonly string[]) =>
    value === undefined ? MAX : parse(value),
});
/** Checks the only value with a pattern. */
const pattern = (expression: RegExp) => ({
  parseLimit: (values: readonly string[]) =>
    values.length === 0
      ? MAX
      : values.length === 1 && expression.test(values[0]!)
      ? Number(values[0])
      : undefined,
});

/** Handlers with one mistake each, by what they do. */
// deno-fmt-ignore: one or two lines for each mistake
const MISTAKES: Readonly<Record<string, Partial<Parts>>> = {
  "no decoding": { readLimits: (query) => valuesOf(split(query)) },
  "decodes only values":
    { readLimits: (query) => valuesOf(split(query).map(([name, value]) => [name, decode(value)])) },
  "decodes only names":
    { readLimits: (query) => valuesOf(split(query).map(([name, value]) => [decode(name), value])) },
  "splits at semicolons":
    { readLimits: (query) => CORRECT.readLimits(query.replaceAll(";", "&")) },
  "decodes before it splits": { readLimits: (query) => valuesOf(split(unescape(query))) },
  "fails if it cannot decode":
    { readLimits: (query) => CORRECT.readLimits(decodeURIComponent(query)) },
  "case-insensitive names": { readLimits: (query) => CORRECT.readLimits(query.toLowerCase()) },
  "names that end with limit":
    { readLimits: (query) => Array.from(query.matchAll(/limit=([^&]*)/g), ([, value]) => value!) },
  "names that start with limit": { readLimits: (query) => split(query)
    .filter(([name]) => name.startsWith("limit")).map(([, value]) => value) },
  "names with brackets": { readLimits: (query) => CORRECT.readLimits(query.replace("%5B%5D", "")) },
  "another name": { readLimits: (query) => CORRECT.readLimits(query.replace("per_page", "limit")) },
  "only as the first parameter":
    { readLimits: (query) => CORRECT.readLimits(query.startsWith("limit") ? query : "") },
  "only the first value": { readLimits: (query) => CORRECT.readLimits(query).slice(0, 1) },
  "only the last value": { readLimits: (query) => CORRECT.readLimits(query).slice(-1) },
  "different values": { readLimits: (query) => [...new Set(CORRECT.readLimits(query))] },
  "drops empty values": { readLimits: (query) => CORRECT.readLimits(query).filter(Boolean) },
  "drops repeated values": { readLimits(query) {
    const values = CORRECT.readLimits(query);
    return values.length > 1 ? [] : values;
  } },

  "parseInt()": only((value) => Number.isNaN(parseInt(value)) ? undefined : parseInt(value)),
  "parseFloat()": only((value) => parseFloat(value) >= 0 ? parseFloat(value) : undefined),
  "Number()": only((value) => Number(value) >= 0 ? Number(value) : undefined),
  "Number.isInteger()": only((value) => Number.isInteger(Number(value)) ? Number(value) : undefined),
  "Math.abs()": only((value) => /^-?\d+$/.test(value) ? Math.abs(Number(value)) : undefined),
  "32 bits": only((value) => /^\d+$/.test(value) ? Number(value) | 0 : undefined),
  "32 bits without a sign": only((value) => /^\d+$/.test(value) ? Number(value) >>> 0 : undefined),
  "0 is no limit": only((value) => /^\d+$/.test(value) ? Number(value) || MAX : undefined),
  "an invalid limit is no limit": only((value) => /^\d+$/.test(value) ? Number(value) : MAX),
  "an invalid limit is 0": only((value) => /^\d+$/.test(value) ? Number(value) : 0),
  "a negative limit is 0": only((value) => /^-?\d+$/.test(value) ? Math.max(0, Number(value)) : undefined),
  "no maximum": pattern(/^\d+$/),
  "one digit": pattern(/^\d$/),
  "one digit, or ten": pattern(/^(?:\d|2147483647)$/),
  "a number in the value": pattern(/\d/),
  "a number at the start": pattern(/^\d/),
  "a number at the end": pattern(/\d$/),
  "a line with a number": pattern(/^\d{1,9}$|^2147483647$/m),
  "1 or more": pattern(/^[1-9]\d{0,8}$|^2147483647$/),
  "a lower maximum": pattern(/^\d{1,9}$/),
  "at most the number of plants":
    only((value) => /^\d+$/.test(value) && Number(value) <= PLANTS.length ? Number(value) : undefined),

  "7 characters are not read": { readToken: (value) => value.slice(7) || undefined },
  "the second word": { readToken: (value) => value.split(" ")[1] },
  "the last word": { readToken: (value) => value.split(" ").pop() || undefined },
  "Bearer is removed": { readToken: (value) => value.replace(/^bearer +/i, "") || undefined },
  "case-sensitive scheme": { readToken: (value) => /^Bearer +(\S+)$/.exec(value)?.[1] },
  "lower case": { readToken: (value) => CORRECT.readToken(value.toLowerCase()) },
  "any scheme with Bearer": { readToken: (value) => /bearer\w* +(\S+)$/i.exec(value)?.[1] },
  "only letters": { readToken: (value) => /^bearer ([\w-]+)/i.exec(value)?.[1] },
  "no equals signs": { readToken: (value) => CORRECT.readToken(value)?.replace(/=+$/, "") },
  "passwords": { readToken: (value) => CORRECT.readToken(value) ??
    (value.startsWith("Basic ") ? atob(value.slice(6)).split(":")[1] : undefined) },
  "at most 64 characters": { readToken: (value) => CORRECT.readToken(value)?.slice(0, 64) },

  "starts with a token": { isToken: (sent, known) => sent.startsWith(known) },
  "a token starts with it": { isToken: (sent, known) => known.startsWith(sent) },
  "contains a token": { isToken: (sent, known) => sent.includes(known) },
  "case-insensitive tokens": { isToken: (sent, known) => sent.toLowerCase() === known.toLowerCase() },
  ...Object.fromEntries([4, 8, 16, 20, 32, 64, 72].map((count) => [`${count} characters`, {
    isToken: (sent: string, known: string) => sent.slice(0, count) === known.slice(0, count),
  }])),
  "the same length": { isToken: (sent, known) => sent.length === known.length },
  "no expiration": { isValid: () => true },
  "no token with an expiration": { isValid: (expires) => expires === "2999-01-01" },
  "years": { isValid: (expires) => Number(expires.slice(0, 4)) >= new Date().getFullYear() },
  "valid until the end of the day":
    { isValid: (expires) => new Date().toISOString().slice(0, 10) <= expires.slice(0, 10) },
  "compares texts": { isValid: (expires) => new Date().toISOString() < expires },
  "offsets are dropped":
    { isValid: (expires) => Date.now() < Date.parse(expires.replace(/[+-]\d\d:\d\d$/, "Z")) },

  "only tags": { canSee: ({ tags = [] }, _, tag) => tags.includes(tag) },
  "only names": { canSee: ({ names = [] }, name) => names.includes(name) },
  "names and tags": { canSee: ({ names = [], tags = [] }, name, tag) =>
    names.includes(name) && tags.includes(tag) },
  "only the first tag": { canSee: ({ names = [], tags = [] }, name, tag) =>
    names.includes(name) || tags[0] === tag },
  "parts of tags": { canSee: ({ names = [], tags = [] }, name, tag) =>
    names.includes(name) || tags.some((each) => tag.includes(each)) },
  "tags that contain the tag": { canSee: ({ names = [], tags = [] }, name, tag) =>
    names.includes(name) || tags.some((each) => tag && each.includes(tag)) },
  "tags as text": { canSee: ({ names = [], tags = [] }, name, tag) =>
    names.includes(name) || tag !== "" && tags.join().includes(tag) },
  "names or tags": { canSee: ({ names = [], tags = [] }, name, tag) =>
    [...names, ...tags].some((each) => each === name || each === tag) },
  "case-insensitive tags": { canSee: ({ names = [], tags = [] }, name, tag) =>
    names.includes(name) || tags.some((each) => each.toLowerCase() === tag.toLowerCase()) },
  "trimmed names": { canSee: ({ names = [], tags = [] }, name, tag) =>
    tags.includes(tag) || names.some((each) => each.trim() === name) },
  "no names means all": { canSee: ({ names, tags = [] }, name, tag) =>
    !names || names.includes(name) || tags.includes(tag) },
};

/** The handler without a mistake, and those with one. */
export const HANDLERS: Readonly<Record<string, FetchHandler>> = {
  "": create(),
  ...Object.fromEntries(
    Object.entries(MISTAKES).map(([name, parts]) => [name, create(parts)]),
  ),
};
