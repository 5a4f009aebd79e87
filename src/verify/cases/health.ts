// deno-fmt-ignore-file: one or two lines for each test case
import { type Entry, NO_STORE } from "./entry.ts";

export const HEALTH: readonly Entry[] = [
  { id: "health", send: ["GET /healthz"], status: 200, body: { status: "ok" },
    headers: NO_STORE, title: "/healthz returns status ok without a token" },
  { id: "ready", send: ["GET /readyz"], status: 200, body: { status: "ok" },
    headers: NO_STORE, title: "/readyz returns status ok without a token" },
  { id: "head.health", send: ["HEAD /healthz"], status: 200,
    title: "HEAD is allowed for /healthz" },
];
