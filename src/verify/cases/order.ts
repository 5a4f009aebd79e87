// deno-fmt-ignore-file: one or two lines for each test case
import { ANY, type Entry, FAILING, NO_TOKEN } from "./entry.ts";

export const CORE_ORDER: readonly Entry[] = [
  { id: "credentials.before-limit", send: ["GET /plants?limit=x"], status: 401,
    headers: NO_TOKEN, title: "Credentials are checked before the limit" },
];

export const ORDER: readonly Entry[] = [
  { id: "failing.after-limit", send: ["GET /plants?limit=x", FAILING], status: 400,
    title: "The limit is checked before a list fails" },
  { id: "failing.before-conditional", send: ["GET /plants", FAILING, ANY], status: 503,
    title: "A list fails before If-None-Match is checked" },
];
