// deno-fmt-ignore-file: one or two lines for each test case
import { MONSTERA, PLANTS } from "../data.ts";
import { ALL, ANY, type Entry, FAILING, NO_TOKEN, ORIGIN, SERVER, toRequest } from "./entry.ts";

/** A body that is a request, for servers that do not read bodies. */
const SMUGGLED = "GET /healthz HTTP/1.1\r\nHost: a.example\r\n\r\n";
const CHUNKED = "Transfer-Encoding: Chunked";

const HEADERS = [
  { id: "content-type",
    headers: ["Content-Type: text/plain", "Accept: text/html, */*", "Cookie: a"] },
  { id: "method-override", headers: ["X-HTTP-Method-Override: DELETE"] },
  { id: "upgrade", headers: ["Upgrade: websocket"] },
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
  { id: "query.mixed", send: ["GET /plants?page=2&limit=1&sort=name", ALL], list: [MONSTERA],
    title: "A limit can appear between other parameters" },
  { id: "credentials.query",
    send: ["GET /plants?access_token=test-all&token=test-all"], status: 401,
    headers: NO_TOKEN, title: "A token in the query is ignored" },
];

/** Requests with a body that is not the next request. */
const BODIES: readonly (Pick<Entry, "id" | "send" | "request"> & { what: string })[] = [
  { id: "body", what: "A POST body with Content-Length", send: ["POST /plants", ALL] },
  { id: "GET-body", what: "A GET body with Content-Length", send: ["GET /plants", ALL] },
  { id: "chunks", what: "A GET body with Transfer-Encoding: Chunked",
    send: ["GET /plants", ALL, ANY, CHUNKED] },
  { id: "trailer", what: "A GET body with a trailer", send: ["GET /plants", ALL, CHUNKED],
    request: { trailer: true } },
  { id: "body-of-rejected", what: "The body of a rejected request",
    send: ["PATCH /plants", "Host: h/"] },
  { id: "body-of-missing", what: "The body of a request with an unknown path",
    send: ["DELETE /nope", ALL] },
  { id: "body-of-preflight", what: "The body of a CORS preflight",
    send: ["OPTIONS /plants", ORIGIN, "Access-Control-Request-Method: GET"] },
  { id: "HEAD-body", what: "A HEAD body", send: ["HEAD /plants", FAILING] },
  { id: "long-body", what: "A body of 2,100 bytes that arrives in two parts",
    send: ["GET /plants"], request: { content: SMUGGLED.repeat(50), pauseBefore: "GET" } },
  { id: "two-codings", what: "A chunked body with a Content-Length",
    send: ["GET /plants", ALL, CHUNKED, "Content-Length: 4"] },
  { id: "two-lengths", what: "A body with two different lengths",
    send: ["GET /plants", ALL, "Content-Length: 0", `Content-Length: ${SMUGGLED.length}`] },
  { id: "bad-length", what: "A body with an invalid length",
    send: ["GET /plants", ALL, `Content-Length: ${SMUGGLED.length}x`] },
];

export const IGNORED: readonly Entry[] = [
  { id: "query.names",
    send: ["GET /plants?x=?%ZZ&Limit=3&xlimit=3&limitx=3&limit%5B%5D=3&size=3&per_page=3" +
      "&_method=DELETE&limit=1", ALL],
    list: [MONSTERA], title: "Parameters with similar names have no effect" },
  ...HEADERS,
  { id: "ignored.cookie",
    send: ["GET /plants", "Cookie: access_token=test-all; token=test-all; session=test-all",
      "X-API-Key: test-all", "Proxy-Authorization: Bearer test-all",
      "X-Forwarded-Access-Token: test-all"],
    status: 401, headers: NO_TOKEN, title: "A token in another header is ignored" },
  ...[
    { id: "json", type: "application/json",
      content: '{"access_token":"test-all","token":"test-all"}' },
    { id: "form", type: "application/x-www-form-urlencoded",
      content: "access_token=test-all&token=test-all" },
  ].map(({ id, type, content }): Entry => ({
    id: `ignored.${id}`, send: ["GET /plants", `Content-Type: ${type}`],
    request: { content }, status: 401, headers: NO_TOKEN, ...SERVER,
    title: `A token in a body of type ${type} is ignored`,
  })),
  { id: "ignored.spaces", send: ["GET /plants?limit=1", ...Array<string>(10).fill("X-A: b"),
      "Authorization:   Bearer test-all"],
    list: [MONSTERA], request: { pauseBefore: "limit" }, ...SERVER,
    title: "Many headers, spaces before a value, and a pause in the request have no effect" },
  ...BODIES.map(({ id, what, send, request }): Entry => ({
    id: `ignored.${id}-before-next`, send: ["GET /plants?limit=1", ALL], list: [MONSTERA],
    previousRequest: { ...toRequest(...send), content: SMUGGLED, ...request },
    sameConnection: true,
    title: `${what} is never read as a request`,
  })),
];
