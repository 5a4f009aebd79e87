// deno-fmt-ignore-file: one or two lines for each test case
import { PLANTS } from "../data.ts";
import { ALL, ANY, type Entry, ORIGIN, REQUESTED } from "./entry.ts";

const PREFLIGHTS = [
  { id: "plants", target: "/plants" },
  { id: "missing", target: "/nope" },
  { id: "health", target: "/healthz" },
  { id: "root", target: "/" },
].map(({ id, target }): Entry => ({
  id: `preflight.${id}`,
  send: [
    `OPTIONS ${target}`,
    ORIGIN,
    REQUESTED,
    "Access-Control-Request-Headers: authorization,if-none-match",
  ],
  status: 204,
  headers: { "access-control-allow-headers": "Authorization, If-None-Match" },
  title: `A CORS preflight for ${target} returns 204 without credentials`,
}));

export const CORS: readonly Entry[] = [
  { id: "cors.list", send: ["GET /plants", ORIGIN, ALL], list: PLANTS,
    title: "A list has CORS headers" },
  { id: "cors.same", send: ["GET /plants", ORIGIN, ALL, ANY], status: 304,
    title: "A 304 has CORS headers" },
  { id: "cors.unauthorized", send: ["GET /plants", ORIGIN], status: 401,
    title: "A 401 has CORS headers" },
  { id: "cors.bad-limit", send: ["GET /plants?limit=x", ORIGIN, ALL], status: 400,
    title: "A 400 has CORS headers" },
  { id: "cors.missing", send: ["GET /nope", ORIGIN], status: 404,
    title: "A 404 has CORS headers" },
  { id: "cors.health", send: ["GET /healthz", ORIGIN], status: 200,
    title: "A health check has CORS headers" },
  { id: "cors.method", send: ["POST /plants", ORIGIN], status: 405,
    title: "A 405 has CORS headers" },
  ...PREFLIGHTS,
  { id: "preflight.method",
    send: ["OPTIONS /plants", ORIGIN, "Access-Control-Request-Method: DELETE"],
    status: 204, title: "A CORS preflight for DELETE returns 204" },
  { id: "preflight.headers",
    send: ["OPTIONS /plants", ORIGIN, REQUESTED, "Access-Control-Request-Headers: x-other"],
    status: 204, title: "A CORS preflight for other headers returns 204" },
];
