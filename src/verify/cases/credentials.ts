// deno-fmt-ignore-file: one or two lines for each test case
import type { Case } from "../case.ts";
import { LONG, PLANTS } from "../data.ts";
import { type Entry, group, INVALID_TOKEN, LIBRARY, NO_TOKEN } from "./group.ts";

/** The value of an Authorization header, and what it is. */
interface Row {
  readonly id: string;
  readonly value: string;
  readonly what: string;
}

const unauthorized = ({ id, value, what }: Row): Entry => ({
  id: `credentials.${id}`, send: ["GET /plants", `Authorization: ${value}`], status: 401,
  headers: NO_TOKEN, title: `${what} returns 401 without an error parameter`,
});
const invalid = ({ id, value, what }: Row): Entry => ({
  ...unauthorized({ id, value: `Bearer ${value}`, what }),
  headers: INVALID_TOKEN, title: `${what} returns 401 with invalid_token`,
});

export const CREDENTIALS: readonly Case[] = [
  ...group("core", 2, [
    { id: "credentials.none", send: ["GET /plants"], status: 401, headers: NO_TOKEN,
      title: "A request without an Authorization header returns 401 without an error parameter" },
    ...[
      { id: "empty", value: "", what: "An empty Authorization header" },
      { id: "basic", value: "Basic test-all", what: "A token with the Basic scheme" },
      { id: "basic-password", value: "Basic YWxsOnRlc3QtYWxs",
        what: "A token as the password of Basic credentials" },
      { id: "bare-token", value: "test-all", what: "A token without a scheme" },
      { id: "longer-scheme", value: "BearerX test-all", what: "The scheme BearerX" },
      { id: "prefixed-scheme", value: "NotBearer test-all", what: "The scheme NotBearer" },
    ].map(unauthorized),
    { id: "credentials.scheme-alone", send: ["GET /plants", "Authorization: Bearer"],
      status: [400, 401], title: "The scheme without a token returns 401 or 400" },
    ...[
      { id: "unknown", value: "nobody", what: "An unknown token" },
      { id: "user-name", value: "all", what: "The name of a user" },
      { id: "part", value: "test-al", what: "A part of a token" },
      { id: "longer", value: "test-alll", what: "A token and another letter" },
      { id: "padded", value: "test-all=", what: "A token and an equals sign" },
      { id: "case-of-token", value: "TEST-ALL", what: "A token in upper case" },
      { id: "expired", value: "test-expired",
        what: "An expired token of a user who has a newer one" },
      { id: "expired-time", value: "test-expired-time",
        what: "A token with a time that has passed" },
      { id: "expired-offset", value: "test-expired-offset",
        what: "A token with a time that has passed, but not in UTC" },
      { id: "expired-today", value: "test-today",
        what: "A token that expired at the start of the day" },
      { id: "name.__proto__", value: "__proto__", what: "The token __proto__" },
      { id: "name.toString", value: "toString", what: "The token toString" },
    ].map(invalid),
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
    { id: "credentials.good-last",
      send: ["GET /plants", "Authorization: Bearer nobody", "Authorization: Bearer test-all"],
      status: [400, 401], ...LIBRARY,
      title: "A valid header after an invalid one returns 401 or 400" },
    { id: "credentials.non-ascii", send: ["GET /plants", "Authorization: Bearer \xe9"],
      status: [400, 401], ...LIBRARY, title: "A token that is not ASCII returns 401 or 400" },
    invalid({ id: "long", value: "x".repeat(300), what: "A token of 300 characters" }),
    invalid({ id: "long-end", value: LONG.replace(/x$/, "y"),
      what: "A token of 100 characters with another last one" }),
  ]),
];
