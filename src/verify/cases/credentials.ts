// deno-fmt-ignore-file: one or two lines for each test case
import type { Case } from "../case.ts";
import { LONG, PLANTS } from "../data.ts";
import { type Entry, group, INVALID_TOKEN, LIBRARY, NO_TOKEN } from "./group.ts";

/** The last words of an ID, the value of an Authorization header, and what it is. */
type Row = readonly [id: string, value: string, what: string];

const unauthorized = ([id, value, what]: Row): Entry => ({
  id: `credentials.${id}`, send: ["GET /plants", `Authorization: ${value}`], status: 401,
  headers: NO_TOKEN, title: `${what} returns 401 without an error parameter`,
});
const invalid = ([id, value, what]: Row): Entry => ({
  ...unauthorized([id, `Bearer ${value}`, what]),
  headers: INVALID_TOKEN, title: `${what} returns 401 with invalid_token`,
});

export const CREDENTIALS: readonly Case[] = [
  ...group("core", 2, [
    { id: "credentials.none", send: ["GET /plants"], status: 401, headers: NO_TOKEN,
      title: "A request without an Authorization header returns 401 without an error parameter" },
    ...([
      ["empty", "", "An empty Authorization header"],
      ["basic-password", "Basic YWxsOnRlc3QtYWxs", "A token as the password of Basic credentials"],
      ["bare-token", "test-all", "A token without a scheme"],
      ["no-space", "Bearertest-all", "A token without a space after the scheme"],
      ["longer-scheme", "BearerX test-all", "The scheme BearerX"],
      ["prefixed-scheme", "NotBearer test-all", "The scheme NotBearer"],
    ] as const).map(unauthorized),
    { id: "credentials.scheme-alone", send: ["GET /plants", "Authorization: Bearer"],
      status: [400, 401], title: "The scheme without a token returns 401 or 400" },
    ...([
      ["unknown", "nobody", "An unknown token"],
      ["user-name", "all", "The name of a user"],
      ["part", "test-al", "A part of a token"],
      ["longer", "test-alll", "A token and another letter"],
      ["padded", "test-all=", "A token and an equals sign"],
      ["case-of-token", "TEST-ALL", "A token in upper case"],
      ["expired", "test-expired", "An expired token of a user who has a newer one"],
      ["expired-time", "test-expired-time", "A token with a time that has passed"],
      ["expired-offset", "test-expired-offset", "A token with a time that has passed, but not in UTC"],
      ["expired-today", "test-today", "A token that expired at the start of the day"],
      ["name.__proto__", "__proto__", "The token __proto__"],
      ["name.toString", "toString", "The token toString"],
    ] as const).map(invalid),
    { id: "credentials.scheme-case", send: ["GET /plants", "authorization: bEARER test-all"],
      list: PLANTS, title: "The letter case of the scheme has no effect" },
  ]),
  ...group("core", 10, [
    { id: "credentials.before-limit", send: ["GET /plants?limit=x"], status: 401,
      headers: NO_TOKEN, title: "Credentials are checked before the limit" },
  ]),
  ...group("http", 10, [
    { id: "credentials.unknown-before-limit",
      send: ["GET /plants?limit=x", "Authorization: Bearer nobody"], status: 401,
      headers: INVALID_TOKEN, title: "An unknown token is rejected before the limit is checked" },
  ]),
  ...group("http", 2, [
    { id: "credentials.non-ascii", send: ["GET /plants", "Authorization: Bearer \xe9"],
      status: [400, 401], ...LIBRARY, title: "A token that is not ASCII returns 401 or 400" },
    invalid(["long", "x".repeat(300), "A token of 300 characters"]),
    invalid(["long-end", LONG.replace(/x$/, "y"), "A token of 100 characters with another last one"]),
  ]),
];
