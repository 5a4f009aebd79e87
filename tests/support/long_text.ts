// Processes long text from clients, and prints the name of each kind.
import { createHandler, createMemoryStore } from "../../mod.ts";
import { isValidHost, parseTarget } from "../../src/core/http/target.ts";

const SIZE = 1_000_000;

const store = createMemoryStore({
  plants: [],
  users: { u: { plants: "all", tokens: ["t"] } },
});
const handler = createHandler(store, { cors: "https://a.example" });
const authorization = "Bearer t";
const sendHeader = (name: string) => (value: string) =>
  handler("/plants", { headers: { authorization, [name]: value } });
const sendQuery = (query: string) =>
  handler(`/plants?${query}`, { headers: { authorization } });

const repeat = (unit: string, prefix = "") =>
  prefix + unit.repeat(SIZE / unit.length);

/** Different letters, for which the conversion to Punycode is quadratic. */
const LETTERS = String.fromCharCode(
  ...Array.from({ length: 8_000 }, (_, at) => 0x4e00 + at * 7 % 20_000),
);

for (
  const [name, receive, text] of [
    ["a Host", isValidHost, repeat("%41")],
    ["a Host of many letters", isValidHost, repeat(LETTERS)],
    ["Authorization", sendHeader("authorization"), repeat(" ", "Bearer ")],
    ["If-None-Match", sendHeader("if-none-match"), repeat('"a" ,')],
    ["spaces", sendHeader("if-none-match"), repeat(" ", "a") + "a"],
    ["no-break spaces", sendHeader("if-none-match"), repeat("\xa0", "a") + "a"],
    ["Origin", sendHeader("origin"), repeat("a.", "https://")],
    ["a target", parseTarget, repeat("/a/..")],
    ["the host of a target", parseTarget, repeat(LETTERS, "http://")],
    ["a query", sendQuery, repeat("limit=0&")],
  ] as const
) {
  console.log(name);
  await receive(text);
}
console.log("done");
