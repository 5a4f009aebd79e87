// deno-fmt-ignore-file: one or two lines for each test case
import { MONSTERA, PLANTS } from "../data.ts";
import { ALL, type Entry, NO_TOKEN, toRequest } from "./entry.ts";

/** A body that is a request, for servers that do not read bodies. */
const SMUGGLED = "GET /healthz HTTP/1.1\r\nHost: a.example\r\n\r\n";

const HEADERS = [
  { id: "content-type", headers: ["Content-Type: application/json"] },
  { id: "method-override", headers: ["X-HTTP-Method-Override: DELETE"] },
  { id: "upgrade", headers: ["Upgrade: h2c"] },
  { id: "forwarded", headers: ["X-Forwarded-Prefix: /x", "X-Original-URL: /x"] },
].map(({ id, headers }): Entry => ({
  id: `ignored.${id}`,
  send: ["GET /plants", ALL, ...headers],
  list: PLANTS,
  title: `The list of plants does not depend on ${
    headers.map((header) => header.split(":")[0]).join(" and ")
  }`,
}));

export const QUERIES: readonly Entry[] = [
  { id: "query.others",
    send: ["GET /plants?__proto__=1&page=2&offset=1&sort=name&fields=name&callback=f", ALL],
    list: PLANTS, title: "Other parameters have no effect" },
  { id: "query.empty", send: ["GET /plants?", ALL], list: PLANTS,
    title: "An empty query has no effect" },
  { id: "query.mixed", send: ["GET /plants?page=2&limit=1", ALL], list: [MONSTERA],
    title: "A limit can follow other parameters" },
  { id: "credentials.query",
    send: ["GET /plants?access_token=test-all&token=test-all"], status: 401,
    headers: NO_TOKEN, title: "A token in the query is ignored" },
];

/** Requests with a body that is not the next request. */
const BODIES = [
  { id: "body", what: "A POST body with Content-Length",
    send: ["POST /plants", ALL, "Content-Length: 42"] },
  { id: "GET-body", what: "A GET body with Content-Length",
    send: ["GET /plants", ALL, "Content-Length: 42"] },
  { id: "chunks", what: "A GET body with Transfer-Encoding: Chunked",
    send: ["GET /plants", ALL, "Transfer-Encoding: Chunked"] },
  { id: "body-of-rejected", what: "The body of a rejected request",
    send: ["GET /plants", "Host: h/", "Content-Length: 42"] },
] satisfies readonly (Pick<Entry, "id" | "send"> & { what: string })[];

export const IGNORED: readonly Entry[] = [
  ...HEADERS,
  { id: "ignored.cookie",
    send: ["GET /plants", "Cookie: access_token=test-all; token=test-all"],
    status: 401, headers: NO_TOKEN, title: "A token in a cookie is ignored" },
  ...BODIES.map(({ id, what, send }): Entry => ({
    id: `ignored.${id}-before-next`, send: ["GET /plants?limit=1", ALL], list: [MONSTERA],
    previousRequest: { ...toRequest(...send), content: SMUGGLED }, sameConnection: true,
    title: `${what} is never read as a request`,
  })),
];
