// deno-fmt-ignore-file: one or two lines for each test case
import type { Case } from "../case.ts";
import { MONSTERA, PLANTS } from "../data.ts";
import { ALL, ANY, type Entry, FAILING, group, NO_TOKEN, ORIGIN, SERVER, toRequest }
  from "./group.ts";

/** A body that is a request, for servers that do not read bodies. */
const SMUGGLED = "GET /healthz HTTP/1.1\r\nHost: a.example\r\n\r\n";
const CHUNKED = "Transfer-Encoding: Chunked";

/** A request with a body, which must not be read as the next request. */
interface Row extends Pick<Entry, "id" | "send" | "request"> {
  readonly what: string;
}

const beforeNext = ({ id, what, send, request }: Row): Entry => ({
  id: `ignored.${id}-before-next`, send: ["GET /plants?limit=1", ALL], list: [MONSTERA],
  before: { ...toRequest(...send), content: SMUGGLED, ...request }, ...SERVER,
  title: `${what} is never read as a request`,
});

export const IGNORED: readonly Case[] = [
  ...group("core", 11, [
    { id: "query.others",
      send: ["GET /plants?__proto__=1&page=2&offset=1&sort=name&fields=name&callback=f", ALL],
      list: PLANTS, title: "Other parameters have no effect" },
    { id: "query.empty", send: ["GET /plants?", ALL], list: PLANTS,
      title: "An empty query has no effect" },
    { id: "query.mixed", send: ["GET /plants?page=2&limit=1&sort=name", ALL], list: [MONSTERA],
      title: "A limit can appear between other parameters" },
    { id: "credentials.query", send: ["GET /plants?access_token=test-all&token=test-all"],
      status: 401, headers: NO_TOKEN, title: "A token in the query is ignored" },
  ]),
  ...group("http", 11, [
    { id: "query.names",
      send: ["GET /plants?x=?%ZZ%26limit=3&Limit=3&xlimit=3&limitx=3&limit%5B%5D=3&size=3&per_page=3" +
        "&_method=DELETE&limit=1", ALL],
      list: [MONSTERA], title: "Parameters with similar names have no effect" },
    { id: "ignored.content-type", list: PLANTS,
      send: ["GET /plants", ALL, "Content-Type: text/plain", "Accept: text/html, */*", "Cookie: a"],
      title: "The list of plants does not depend on Content-Type and Accept and Cookie" },
    { id: "ignored.method-override", send: ["GET /plants", ALL, "X-HTTP-Method-Override: DELETE"],
      list: PLANTS, title: "The list of plants does not depend on X-HTTP-Method-Override" },
    { id: "ignored.upgrade", send: ["GET /plants", ALL, "Upgrade: websocket"], list: PLANTS,
      title: "The list of plants does not depend on Upgrade" },
    { id: "ignored.forwarded", list: PLANTS,
      send: ["GET /plants", ALL, "X-Forwarded-Prefix: /x", "X-Original-URL: /x"],
      title: "The list of plants does not depend on X-Forwarded-Prefix and X-Original-URL" },
    { id: "ignored.cookie",
      send: ["GET /plants", "Cookie: access_token=test-all; token=test-all; session=test-all",
        "X-API-Key: test-all", "Proxy-Authorization: Bearer test-all",
        "X-Forwarded-Access-Token: test-all"],
      status: 401, headers: NO_TOKEN, title: "A token in another header is ignored" },
    { id: "ignored.json", send: ["GET /plants", "Content-Type: application/json"],
      request: { content: '{"access_token":"test-all","token":"test-all"}' },
      status: 401, headers: NO_TOKEN, ...SERVER,
      title: "A token in a body of type application/json is ignored" },
    { id: "ignored.form", send: ["GET /plants", "Content-Type: application/x-www-form-urlencoded"],
      request: { content: "access_token=test-all&token=test-all" },
      status: 401, headers: NO_TOKEN, ...SERVER,
      title: "A token in a body of type application/x-www-form-urlencoded is ignored" },
    { id: "ignored.spaces", send: ["GET /plants?limit=1", ...Array<string>(10).fill("X-A: b"),
        "Authorization:   Bearer test-all"],
      list: [MONSTERA], request: { pauseBefore: "limit" }, ...SERVER,
      title: "Many headers, spaces before a value, and a pause in the request have no effect" },
    ...([
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
    ] as const).map(beforeNext),
  ]),
];
