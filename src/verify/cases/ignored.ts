// deno-fmt-ignore-file: one or two lines for each test case
import { MONSTERA, PLANTS } from "../data.ts";
import { ALL, type Entry, NO_TOKEN, SERVER, toRequest } from "./entry.ts";

/** A body that is a request, for servers that do not read bodies. */
const SMUGGLED = "GET /healthz HTTP/1.1\r\nHost: a.example\r\n\r\n";

const HEADERS = [
  { id: "accept", headers: ["Accept: text/html"] },
  { id: "accept-encoding", headers: ["Accept-Encoding: gzip, br"] },
  { id: "range", headers: ["Range: bytes=0-1"] },
  { id: "if-match", headers: ['If-Match: "a"'] },
  { id: "if-modified-since", headers: ["If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT"] },
  { id: "if-unmodified-since", headers: ["If-Unmodified-Since: Sat, 01 Jan 2000 00:00:00 GMT"] },
  { id: "content-type", headers: ["Content-Type: text/csv"] },
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

export const IGNORED: readonly Entry[] = [
  ...HEADERS,
  { id: "ignored.range-beyond", send: ["GET /plants", ALL, "Range: bytes=9999-"],
    list: PLANTS, title: "A Range after the end of the list has no effect" },
  { id: "ignored.method-override-post",
    send: ["POST /plants", ALL, "X-HTTP-Method-Override: GET"], status: 405,
    title: "A POST does not become a GET because of a header" },
  { id: "ignored.cookie",
    send: ["GET /plants", "Cookie: access_token=test-all; token=test-all"],
    status: 401, headers: NO_TOKEN, title: "A token in a cookie is ignored" },
  { id: "ignored.proxy-authorization",
    send: ["GET /plants", "Proxy-Authorization: Bearer test-all"], status: 401,
    headers: NO_TOKEN, title: "A token in Proxy-Authorization is ignored" },
  { id: "ignored.api-key", send: ["GET /plants", "X-API-Key: test-all"], status: 401,
    headers: NO_TOKEN, title: "A token in X-API-Key is ignored" },
  { id: "ignored.token-in-body",
    send: ["GET /plants", "Content-Type: application/x-www-form-urlencoded", "Content-Length: 21"],
    status: 401, headers: NO_TOKEN, request: { content: "access_token=test-all" }, ...SERVER,
    title: "A token in the body is ignored" },
  { id: "ignored.body",
    send: ["GET /plants?limit=1", ALL, "Content-Type: application/json", "Content-Length: 9"],
    list: [MONSTERA], request: { content: '{"limit":' }, ...SERVER,
    title: "The body of a GET is ignored, even if it is invalid" },
  { id: "ignored.body-of-POST",
    send: ["POST /plants", ALL, "Content-Type: application/json", "Content-Length: 1"], status: 405,
    request: { content: "{" }, title: "The body of a POST is ignored, even if it is invalid" },
  { id: "ignored.body-before-next", send: ["GET /plants?limit=1", ALL],
    list: [MONSTERA],
    previousRequest: { ...toRequest("POST /plants", ALL, "Content-Length: 42"), content: SMUGGLED },
    sameConnection: true,
    title: "A POST body with Content-Length: 42 is never read as a request" },
  { id: "ignored.GET-body-before-next", send: ["GET /plants?limit=1", ALL],
    list: [MONSTERA],
    previousRequest: { ...toRequest("GET /plants", ALL, "Content-Length: 42"), content: SMUGGLED },
    sameConnection: true,
    title: "A GET body with Content-Length: 42 is never read as a request" },
  { id: "ignored.chunks-before-next", send: ["GET /plants?limit=1", ALL],
    list: [MONSTERA],
    previousRequest: { ...toRequest("GET /plants", ALL, "Transfer-Encoding: chunked"), content: SMUGGLED },
    sameConnection: true,
    title: "A GET body with Transfer-Encoding: chunked is never read as a request" },
];
