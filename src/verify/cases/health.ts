// deno-fmt-ignore-file: one or two lines for each test case
import { ANY, type Entry, FAILING, NO_STORE, UNKNOWN } from "./entry.ts";

/** The body and the headers of a health check. */
const HEALTHY = { status: "ok" };
const HEADERS = { ...NO_STORE, etag: null };
const TIME =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

export const HEALTH: readonly Entry[] = [
  { id: "head.health", send: ["HEAD /healthz"], status: 200,
    title: "HEAD is allowed for /healthz" },
  { id: "health", send: ["GET /healthz"], status: 200, body: HEALTHY,
    headers: HEADERS, title: "/healthz returns status ok without a token" },
  { id: "health.query", send: ["GET /healthz?limit=x"], status: 200, body: HEALTHY,
    title: "/healthz ignores the query" },
  { id: "health.token", send: ["GET /healthz", UNKNOWN], status: 200, body: HEALTHY,
    title: "/healthz ignores the token" },
  { id: "health.conditional", send: ["GET /healthz", ANY], status: 200, body: HEALTHY,
    title: "/healthz ignores If-None-Match, because it has no ETag" },
  { id: "ready", send: ["GET /readyz"], status: 200,
    body: { ...HEALTHY, loadedAt: TIME }, headers: HEADERS,
    title: "/readyz returns when the plants were loaded" },
  { id: "ready.failing", send: ["GET /readyz", FAILING], status: 200,
    title: "/readyz does not depend on a user" },
];
