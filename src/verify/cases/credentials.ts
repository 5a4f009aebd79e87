// deno-fmt-ignore-file: one or two lines for each test case
import { PLANTS } from "../data.ts";
import { type Entry, INVALID_TOKEN, NO_TOKEN } from "./entry.ts";

/** The values of Authorization headers, and what they are. */
interface Row {
  readonly id: string;
  readonly values: readonly string[];
  readonly what: string;
}

/** Headers that are rejected with a challenge. */
const reject = (challenge: typeof NO_TOKEN, rows: readonly Row[]) =>
  rows.map(({ id, values, what }): Entry => ({
    id: `credentials.${id}`,
    send: ["GET /plants", ...values.map((value) => `Authorization: ${value}`)],
    status: 401,
    headers: challenge,
    title: `${what} returns 401 ${
      challenge === NO_TOKEN ? "without an error code" : "with invalid_token"
    }`,
  }));

export const CREDENTIALS: readonly Entry[] = [
  ...reject(NO_TOKEN, [
    { id: "none", values: [], what: "A request without an Authorization header" },
    { id: "empty", values: [""], what: "An empty Authorization header" },
    { id: "basic", values: ["Basic test-all"], what: "A token with the Basic scheme" },
    { id: "basic-password", values: ["Basic YWxsOnRlc3QtYWxs"],
      what: "A token as the password of Basic credentials" },
    { id: "bare-token", values: ["test-all"], what: "A token without a scheme" },
    { id: "longer-scheme", values: ["BearerX test-all"], what: "The scheme BearerX" },
    { id: "prefixed-scheme", values: ["NotBearer test-all"],
      what: "The scheme NotBearer" },
  ]),
  { id: "credentials.scheme-alone", send: ["GET /plants", "Authorization: Bearer"],
    status: 401, title: "The scheme without a token returns 401 with either challenge" },
  ...reject(INVALID_TOKEN, [
    { id: "unknown", values: ["Bearer nobody"], what: "An unknown token" },
    { id: "user-name", values: ["Bearer all"], what: "The name of a user" },
    { id: "part", values: ["Bearer test-al"], what: "A part of a token" },
    { id: "longer", values: ["Bearer test-alll"], what: "A token and another letter" },
    { id: "long", values: [`Bearer ${"x".repeat(4_000)}`],
      what: "A token of 4000 letters" },
    { id: "padded", values: ["Bearer test-all="], what: "A token and an equals sign" },
    { id: "case-of-token", values: ["Bearer TEST-ALL"], what: "A token in upper case" },
    { id: "two-tokens", values: ["Bearer test-all test-all"], what: "A repeated token" },
    { id: "quoted", values: ['Bearer "test-all"'], what: "A token in quotes" },
    { id: "tab", values: ["Bearer\ttest-all"], what: "A token after a tab" },
    { id: "comma", values: ["Bearer test-all,"], what: "A token before a comma" },
    { id: "equals-first", values: ["Bearer =test-all"], what: "A token after =" },
    { id: "expired", values: ["Bearer test-expired"], what: "An expired token" },
    { id: "expired-time", values: ["Bearer test-expired-time"],
      what: "A token with a time that has passed" },
    { id: "expired-offset", values: ["Bearer test-expired-offset"],
      what: "A token with a time that has passed, but not in UTC" },
    { id: "expired-today", values: ["Bearer test-today"],
      what: "A token that expired at the start of the day" },
    { id: "name.__proto__", values: ["Bearer __proto__"], what: "The token __proto__" },
    { id: "name.toString", values: ["Bearer toString"], what: "The token toString" },
    { id: "name.hasOwnProperty", values: ["Bearer hasOwnProperty"],
      what: "The token hasOwnProperty" },
    { id: "name.prototype", values: ["Bearer prototype"], what: "The token prototype" },
  ]),
  { id: "credentials.scheme-case",
    send: ["GET /plants", "authorization: bEARER test-all"], list: PLANTS,
    title: "The letter case of the scheme has no effect" },
  { id: "credentials.spaces",
    send: ["GET /plants", "Authorization: Bearer    test-all"], list: PLANTS,
    title: "Several spaces can follow the scheme" },
];

export const REPEATED_CREDENTIALS: readonly Entry[] = [
  ...reject(NO_TOKEN, [
    { id: "hyphenated-scheme", values: ["Bearer-X test-all"],
      what: "The scheme Bearer-X" },
    { id: "basic-first", values: ["Basic x", "Bearer test-all"],
      what: "A Basic header before a Bearer header" },
    { id: "empty-first", values: ["", "Bearer test-all"],
      what: "An empty header before a valid one" },
  ]),
  ...reject(INVALID_TOKEN, [
    { id: "twice", values: ["Bearer test-all", "Bearer test-all"],
      what: "A repeated header" },
    { id: "good-first", values: ["Bearer test-all", "Bearer nobody"],
      what: "A valid header before an invalid one" },
    { id: "good-last", values: ["Bearer nobody", "Bearer test-all"],
      what: "A valid header after an invalid one" },
    { id: "bearer-first", values: ["Bearer test-all", "Basic x"],
      what: "A Bearer header before a Basic header" },
  ]),
];
