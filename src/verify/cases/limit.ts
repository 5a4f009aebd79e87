// deno-fmt-ignore-file: one or two lines for each test case
import type { Case } from "../case.ts";
import { FERN, MONSTERA, PLANTS, ROSE } from "../data.ts";
import { ALL, type Entry, group, NONE, ORIGIN } from "./group.ts";

/** The last word of an ID, a query whose limit is rejected, and what the limit is or has. */
type Row = readonly [id: string, query: string, reason: string];

const reject = ([id, query, reason]: Row): Entry => ({
  id: `limit.rejected.${id}`, send: [`GET /plants?${query}`, ALL], status: 400,
  title: `?${query} returns 400, because the limit ${reason}`,
});

export const LIMIT: readonly Case[] = [
  ...group("core", 3, [
    { id: "limit.two", send: ["GET /plants?limit=2", ALL], list: [MONSTERA, FERN],
      title: "?limit=2 returns the first two plants" },
    { id: "limit.zero", send: ["GET /plants?limit=0", ALL], list: [],
      title: "?limit=0 returns an empty list" },
    { id: "access.none-limited", send: ["GET /plants?limit=0", NONE, ORIGIN], list: [],
      title: "?limit=0 returns an empty list to a user with access to nothing" },
    { id: "limit.more", send: ["GET /plants?limit=10", ALL], list: PLANTS,
      title: "?limit=10 returns all seven plants" },
    { id: "limit.int32", send: ["GET /plants?limit=2147483647", ALL], list: PLANTS,
      title: "?limit=2147483647 is the largest valid limit" },
    { id: "access.limited", send: ["GET /plants?limit=2", "Authorization: Bearer test-mixed"],
      list: [MONSTERA, ROSE], title: "The limit applies to the plants that the user sees" },
    ...([
      ["negative", "limit=-1", "is negative"],
      ["fraction", "limit=5.5", "has a fraction"],
      ["suffix", "limit=5x", "ends with a letter"],
      ["empty", "limit=", "is empty"],
      ["word", "limit=Infinity", "is a word"],
      ["quote", "limit=%22", "is a quotation mark"],
      ["over-int32", "limit=2147483648", "is too large"],
      ["twice", "limit=1&limit=2", "is repeated"],
    ] as const).map(reject),
  ]),
  ...group("http", 3, [
    ...([
      ["over-uint32", "limit=4294967297", "is too large"],
      ["huge", "limit=99999999999999999999", "is too large"],
      ["same-twice", "limit=2&page=1&limit=2", "is repeated"],
      ["escaped", "limit=%5C%0D%0A%0D%0A5%0D%0A%FF", "is not a number"],
      ["superscript", "limit=%C2%B2", "is a superscript"],
      ["semicolon", "limit=2;x=1", "contains a semicolon"],
      ["bad-escape", "limit=%zz", "is not a number"],
    ] as const).map(reject),
    { id: "limit.escaped", send: ["GET /plants?limit=%32", ALL], list: [MONSTERA, FERN],
      title: "?limit=%32 is decoded, and returns the first two plants" },
    { id: "limit.escaped-name", send: ["GET /plants?%6Cimit=1", ALL], list: [MONSTERA],
      title: "?%6Cimit=1 is decoded, and returns the first plant" },
    { id: "limit.upper-case", send: ["GET /plants?LIMIT=1", ALL], list: PLANTS,
      title: "?LIMIT=1 has no effect, because names are case-sensitive" },
    { id: "limit.semicolon", send: ["GET /plants?page=1;limit=1", ALL], list: PLANTS,
      title: "?page=1;limit=1 has no limit, because a semicolon does not separate parameters" },
  ]),
];
