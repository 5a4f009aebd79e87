// deno-fmt-ignore-file: one or two lines for each test case
import { ALL, ANY, BAD_HOST, type Entry, FAILING, LIBRARY, NO_TOKEN, ORIGIN, REQUESTED, SERVER } from "./entry.ts";

export const CORE_ORDER: readonly Entry[] = [
  { id: "credentials.before-limit", send: ["GET /plants?limit=x"], status: 401,
    headers: NO_TOKEN, title: "Credentials are checked before the limit" },
];

export const ORDER: readonly Entry[] = [
  { id: "host.route", send: ["GET /nope", "Host: h/plants?x=", ALL], status: 400,
    ...LIBRARY, title: "A Host that contains a path does not change the path" },
  { id: "host.before-preflight",
    send: ["OPTIONS /plants", BAD_HOST, ORIGIN, REQUESTED], status: 400, ...LIBRARY,
    title: "The Host is checked before CORS preflights" },
  { id: "host.before-path", send: ["GET /nope", BAD_HOST], status: 400, ...LIBRARY,
    title: "The Host is checked before the path" },
  { id: "size.before-path", send: ["GET /nope?"], status: 414, request: { targetLength: 8_193 },
    ...SERVER, title: "The length of the target is checked before the path" },
  { id: "size.after-preflight", send: ["OPTIONS /plants?", ORIGIN, REQUESTED],
    status: 204, request: { targetLength: 8_193 }, ...SERVER,
    title: "CORS preflights are handled before the length of the target is checked" },
  { id: "failing.after-limit", send: ["GET /plants?limit=x", FAILING], status: 400,
    title: "The limit is checked before a list fails" },
  { id: "failing.before-conditional", send: ["GET /plants", FAILING, ANY], status: 503,
    title: "A list fails before If-None-Match is checked" },
];
