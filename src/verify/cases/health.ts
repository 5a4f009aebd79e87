// deno-fmt-ignore-file: one or two lines for each test case
import type { Case } from "../case.ts";
import { type Entry, FAILING, group, NO_STORE, ORIGIN } from "./group.ts";

/** A date and time of RFC 3339, or no property. */
const TIME = /^(?:\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/i;

export const HEALTH: readonly Case[] = group("http", 9, [
  { id: "health", send: ["GET /healthz?limit=x", ORIGIN], body: { status: "ok" },
    headers: NO_STORE, title: "/healthz returns status ok without a token" },
  { id: "ready", send: ["GET /readyz", ORIGIN], headers: NO_STORE,
    body: { status: "ok", loadedAt: TIME, rejectedAt: TIME },
    title: "/readyz returns status ok without a token" },
  ...["health", "ready"].flatMap((id): readonly Entry[] => [
    { id: `${id}.unknown-token`, send: [`GET /${id}z`, "Authorization: Bearer nobody"],
      body: { status: "ok" }, title: `An unknown token has no effect on /${id}z` },
    { id: `head.${id}`, send: [`HEAD /${id}z`, FAILING], status: 200,
      title: `HEAD is allowed for /${id}z, and the token has no effect` },
  ]),
]);
