// deno-fmt-ignore-file: one or two lines for each test case
import { ALL, type Entry, LIBRARY, SERVER_LIBRARY } from "./entry.ts";

const BAD = [
  { id: "empty", host: "", what: "no characters" },
  { id: "path", host: "evil/x?y=", what: "a path" },
  { id: "query", host: "h?x=", what: "a query" },
  { id: "route", host: "h/plants?x=", what: "the path of the list" },
  { id: "fragment", host: "h#", what: "a fragment" },
  { id: "user", host: "user@h", what: "a user name" },
  { id: "space", host: "a b", what: "a space" },
  { id: "port", host: "h:x", what: "letters as its port" },
  { id: "two", host: "a, b", what: "two hosts" },
  { id: "comma-port", host: "a:1:2", what: "two ports" },
  { id: "bracket", host: "[::1", what: "an open bracket" },
  { id: "bracket-name", host: "[zz]", what: "a name in brackets" },
  { id: "bracket-short", host: "[1]", what: "a number in brackets" },
  { id: "backslash", host: "a\\b", what: "a backslash" },
  { id: "escape", host: "a%2", what: "an incomplete escape" },
  { id: "long", host: `${"a".repeat(256)}`, what: "256 characters" },
].map(({ id, host, what }): Entry => ({
  id: `host.bad.${id}`,
  send: ["GET /plants", `Host: ${host}`, ALL],
  status: 400,
  ...LIBRARY,
  title: `A Host with ${what} returns 400`,
}));

const GOOD = [
  { id: "name", host: "plants.example", what: "a name" },
  { id: "comma", host: "a,b", what: "a comma" },
  { id: "port", host: "plants.example:8000", what: "a port" },
  { id: "empty-port", host: "h:", what: "an empty port" },
  { id: "address", host: "127.0.0.1:1", what: "an IPv4 address" },
  { id: "address6", host: "[::1]:8000", what: "an IPv6 address" },
  { id: "underscore", host: "plant_store", what: "an underscore" },
  { id: "escaped", host: "caf%C3%A9.example", what: "percent escapes" },
  { id: "long", host: `${"a".repeat(255)}:8000`, what: "255 characters and a port" },
].map(({ id, host, what }): Entry => ({
  id: `host.good.${id}`,
  send: ["GET /plants", `Host: ${host}`, ALL],
  status: 200,
  title: `A Host with ${what} is accepted`,
}));

export const HOSTS: readonly Entry[] = [
  { id: "host.missing", send: ["GET /plants", ALL], status: 400, request: { withoutHost: true },
    ...SERVER_LIBRARY, title: "A request without a Host returns 400" },
  { id: "host.twice", send: ["GET /plants", "Host: a.example", "Host: a.example", ALL], status: 400, ...LIBRARY,
    title: "A request with two Host headers returns 400" },
  ...BAD,
  ...GOOD,
];
