// deno-fmt-ignore-file: one or two lines for each test case
import type { Case } from "../case.ts";
import { PLANTS } from "../data.ts";
import { ALL, ANY, type Entry, group, ORIGIN, SAME } from "./group.ts";

export const CORS: readonly Case[] = group("http", 7, [
  { id: "cors.list", send: ["GET /plants", ORIGIN, ALL], list: PLANTS,
    title: "A list has CORS headers" },
  { id: "cors.same", send: ["GET /plants", ORIGIN, ALL, SAME], status: 304,
    title: "A 304 has CORS headers" },
  { id: "cors.unauthorized", send: ["GET /plants", "Origin: null"], status: 401,
    title: "A 401 has CORS headers" },
  { id: "cors.bad-limit", send: ["GET /plants?limit=x", "Origin: http://b.example:81", ALL],
    status: 400, title: "A 400 has CORS headers" },
  { id: "cors.missing", send: ["GET /nope", ORIGIN, ALL, ANY], status: 404,
    title: "A 404 has CORS headers" },
  ...Object.entries({ plants: "/plants", health: "/healthz" }).map(([id, target]): Entry => ({
    id: `preflight.${id}`, status: [200, 204],
    send: [`OPTIONS ${target}`, ORIGIN, "Access-Control-Request-Method: GET",
      "Access-Control-Request-Headers: authorization,if-none-match"],
    headers: { "access-control-allow-headers": ["Authorization", "If-None-Match|*"] },
    title: `A CORS preflight for ${target} allows the headers without credentials`,
  })),
  { id: "preflight.missing", status: [200, 204],
    send: ["OPTIONS /nope", ORIGIN, "Access-Control-Request-Method: PUT"],
    title: "A CORS preflight succeeds for every path and method" },
]);
