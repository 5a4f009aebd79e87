// deno-fmt-ignore-file: one or two lines for each test case
import type { Case } from "../case.ts";
import { ALL, type Entry, group, LIBRARY, SERVER } from "./group.ts";

export const HOSTS: readonly Case[] = group("http", 4, [
  { id: "host.missing", send: ["GET /plants", ALL], status: 400, request: { withoutHost: true },
    ...SERVER, ...LIBRARY, title: "A request without a Host returns 400" },
  { id: "host.twice", send: ["GET /plants", "Host: a.example", "Host: a.example", ALL], status: 400,
    ...LIBRARY, title: "A request with two Host headers returns 400" },
  ...[
    { id: "path", host: "evil/x?y=", what: "a path" },
    { id: "user", host: "user@h", what: "a user name" },
    { id: "space", host: "a b", what: "a space" },
  ].map(({ id, host, what }): Entry => ({
    id: `host.bad.${id}`, send: ["GET /plants", `Host: ${host}`, ALL], status: 400, ...LIBRARY,
    title: `A Host with ${what} returns 400`,
  })),
  { id: "host.route", send: ["GET /nope", "Host: h/plants?x=", ALL], status: [400, 404],
    ...LIBRARY, title: "A Host that contains a path does not change the path" },
  ...[
    { id: "port", host: "plants.example:8000", what: "a port" },
    { id: "address6", host: "[::1]:8000", what: "an IPv6 address" },
    { id: "underscore", host: "plant_store", what: "an underscore" },
  ].map(({ id, host, what }): Entry => ({
    id: `host.good.${id}`, send: ["GET /plants", `Host: ${host}`, ALL], status: 200,
    title: `A Host with ${what} is accepted`,
  })),
]);
