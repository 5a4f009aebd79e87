// deno-fmt-ignore-file: one or two lines for each test case
import { PLANTS } from "../data.ts";
import { type Entry, INVALID_TOKEN, LIBRARY, NO_TOKEN } from "./entry.ts";

/** The value of an Authorization header, and what it is. */
interface Row {
  readonly id: string;
  readonly value: string;
  readonly what: string;
}

/** Headers that are rejected with a challenge. */
const reject = (challenge: typeof NO_TOKEN, rows: readonly Row[]) =>
  rows.map(({ id, value, what }): Entry => ({
    id: `credentials.${id}`,
    send: ["GET /plants", `Authorization: ${value}`],
    status: 401,
    headers: challenge,
    title: `${what} returns 401 ${
      challenge === NO_TOKEN ? "without an error code" : "with invalid_token"
    }`,
  }));

export const CREDENTIALS: readonly Entry[] = [
  { id: "credentials.none", send: ["GET /plants"], status: 401, headers: NO_TOKEN,
    title: "A request without an Authorization header returns 401 without an error code" },
  ...reject(NO_TOKEN, [
    { id: "empty", value: "", what: "An empty Authorization header" },
    { id: "basic", value: "Basic test-all", what: "A token with the Basic scheme" },
    { id: "basic-password", value: "Basic YWxsOnRlc3QtYWxs",
      what: "A token as the password of Basic credentials" },
    { id: "bare-token", value: "test-all", what: "A token without a scheme" },
    { id: "longer-scheme", value: "BearerX test-all", what: "The scheme BearerX" },
    { id: "prefixed-scheme", value: "NotBearer test-all", what: "The scheme NotBearer" },
  ]),
  { id: "credentials.scheme-alone", send: ["GET /plants", "Authorization: Bearer"],
    status: [400, 401], title: "The scheme without a token returns 401 or 400" },
  ...reject(INVALID_TOKEN, [
    { id: "unknown", value: "Bearer nobody", what: "An unknown token" },
    { id: "user-name", value: "Bearer all", what: "The name of a user" },
    { id: "part", value: "Bearer test-al", what: "A part of a token" },
    { id: "longer", value: "Bearer test-alll", what: "A token and another letter" },
    { id: "padded", value: "Bearer test-all=", what: "A token and an equals sign" },
    { id: "case-of-token", value: "Bearer TEST-ALL", what: "A token in upper case" },
    { id: "expired", value: "Bearer test-expired",
      what: "An expired token of a user who has a newer one" },
    { id: "expired-time", value: "Bearer test-expired-time",
      what: "A token with a time that has passed" },
    { id: "expired-offset", value: "Bearer test-expired-offset",
      what: "A token with a time that has passed, but not in UTC" },
    { id: "expired-today", value: "Bearer test-today",
      what: "A token that expired at the start of the day" },
    { id: "name.__proto__", value: "Bearer __proto__", what: "The token __proto__" },
    { id: "name.toString", value: "Bearer toString", what: "The token toString" },
  ]),
  { id: "credentials.scheme-case",
    send: ["GET /plants", "authorization: bEARER test-all"], list: PLANTS,
    title: "The letter case of the scheme has no effect" },
];

export const CREDENTIALS_ORDER: readonly Entry[] = [
  { id: "credentials.before-limit", send: ["GET /plants?limit=x"], status: 401,
    headers: NO_TOKEN, title: "Credentials are checked before the limit" },
];

export const REPEATED_CREDENTIALS: readonly Entry[] = [
  { id: "credentials.good-last",
    send: ["GET /plants", "Authorization: Bearer nobody", "Authorization: Bearer test-all"],
    status: [400, 401], ...LIBRARY,
    title: "A valid header after an invalid one returns 401 or 400" },
  { id: "credentials.non-ascii", send: ["GET /plants", "Authorization: Bearer \xe9"],
    status: [400, 401], ...LIBRARY, title: "A token that is not ASCII returns 401 or 400" },
  ...reject(INVALID_TOKEN, [
    { id: "long", value: `Bearer ${"x".repeat(300)}`, what: "A token of 300 characters" },
  ]),
];
