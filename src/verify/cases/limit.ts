// deno-fmt-ignore-file: one or two lines for each test case
import { FERN, MONSTERA, PLANTS, ROSE } from "../data.ts";
import { ALL, type Entry, LIBRARY } from "./entry.ts";

const ACCEPTED = [
  { id: "two", query: "limit=2", list: [MONSTERA, FERN], effect: "returns the first two plants" },
  { id: "one", query: "limit=1", list: [MONSTERA], effect: "returns the first plant" },
  { id: "zero", query: "limit=0", list: [], effect: "returns an empty list" },
  { id: "size", query: "limit=7", list: PLANTS, effect: "returns all seven plants" },
  { id: "more", query: "limit=8", list: PLANTS, effect: "returns all seven plants" },
  { id: "int32", query: "limit=2147483647", list: PLANTS, effect: "is the largest valid limit" },
  { id: "escaped", query: "limit=%31", list: [MONSTERA], effect: "is the same as ?limit=1" },
  { id: "escaped-name", query: "%6c%69mit=1", list: [MONSTERA], effect: "is the same as ?limit=1" },
  { id: "ampersands", query: "&&limit=3&", list: [MONSTERA, FERN, ROSE], effect: "contains a limit of 3" },
  { id: "case", query: "LIMIT=x", list: PLANTS, effect: "is a different parameter" },
  { id: "brackets", query: "limit[]=x", list: PLANTS, effect: "is a different parameter" },
  { id: "question-mark", query: "?limit=1", list: PLANTS, effect: "is a different parameter" },
  { id: "space-name", query: "%20limit=x", list: PLANTS, effect: "is a different parameter" },
].map(({ id, query, list, effect }): Entry => ({
  id: `limit.${id}`,
  send: [`GET /plants?${query}`, ALL],
  list,
  title: `?${query} ${effect}`,
}));

const REJECTED = [
  { id: "negative", query: "limit=-1", reason: "is negative" },
  { id: "minus-zero", query: "limit=-0", reason: "has a sign" },
  { id: "leading-zero", query: "limit=007", reason: "has leading zeros" },
  { id: "zeros", query: "limit=00", reason: "has a leading zero" },
  { id: "exponent", query: "limit=1e3", reason: "has an exponent" },
  { id: "hexadecimal", query: "limit=0x10", reason: "is hexadecimal" },
  { id: "separator", query: "limit=1_0", reason: "has a separator" },
  { id: "fraction", query: "limit=5.5", reason: "has a fraction" },
  { id: "point", query: "limit=5.0", reason: "has a decimal point" },
  { id: "space", query: "limit=%205", reason: "starts with a space" },
  { id: "plus", query: "limit=+5", reason: "starts with a space, written as +" },
  { id: "plus-sign", query: "limit=%2B5", reason: "has a plus sign" },
  { id: "trailing-space", query: "limit=5%20", reason: "ends with a space" },
  { id: "suffix", query: "limit=5x", reason: "ends with a letter" },
  { id: "empty", query: "limit=", reason: "is empty" },
  { id: "bare", query: "limit", reason: "is empty" },
  { id: "full-width", query: "limit=%EF%BC%92", reason: "is a full-width digit" },
  { id: "arabic", query: "limit=%D9%A2", reason: "is an Arabic-Indic digit" },
  { id: "nul", query: "limit=5%00", reason: "ends with a control character" },
  { id: "line-feed", query: "limit=5%0A", reason: "ends with a line feed" },
  { id: "bad-escape", query: "limit=%ZZ", reason: "has an invalid escape", ...LIBRARY },
  { id: "bad-utf8", query: "limit=%FF", reason: "is not UTF-8" },
  { id: "quote", query: "limit=%22", reason: "is a quotation mark" },
  { id: "word", query: "limit=null", reason: "is a word" },
  { id: "comma", query: "limit=1,2", reason: "has a comma" },
  { id: "semicolon", query: "limit=1;2", reason: "has a semicolon" },
  { id: "over-int32", query: "limit=2147483648", reason: "is too large" },
  { id: "over-int64", query: "limit=18446744073709551617", reason: "is too large" },
  { id: "twice", query: "limit=1&limit=2", reason: "is repeated" },
  { id: "twice-equal", query: "limit=1&limit=1", reason: "is repeated" },
  { id: "twice-escaped", query: "limit=1&%6Cimit=1", reason: "is repeated" },
  { id: "escaped-name", query: "%6cimit=x", reason: "is a word" },
].map(({ id, query, reason, ...others }): Entry => ({
  id: `limit.rejected.${id}`,
  send: [`GET /plants?${query}`, ALL],
  status: 400,
  title: `?${query} returns 400, because the limit ${reason}`,
  ...others,
}));

export const LIMIT: readonly Entry[] = [
  ...ACCEPTED,
  { id: "access.limited",
    send: ["GET /plants?limit=2", "Authorization: Bearer test-mixed"],
    list: [MONSTERA, ROSE],
    title: "The limit applies to the plants that the user sees" },
  ...REJECTED,
];
