import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { assertEquals } from "@std/assert";
import {
  createHandler,
  createMemoryStore,
  type HandlerOptions,
  type ResourceResponse,
} from "../../mod.ts";

const store = createMemoryStore({ plants: [], users: {} });

const request = (options: HandlerOptions, url: string, init?: RequestInit) =>
  createHandler(store, options)(url, init);

const INVALID_HEADER = 'invalid value for header "X"';
const STATUS = "expected a status from 200 to 599, got";

for (
  const [part, message] of [
    [{ headers: { X: "植" } }, INVALID_HEADER],
    [{ headers: { X: "a\r\nb: c" } }, INVALID_HEADER],
    [{ headers: { X: 1 } }, INVALID_HEADER],
    [{ headers: { "X Plant": "a" } }, 'invalid header name "X Plant"'],
    [{ body: {} }, "expected the body to be text or bytes"],
    [{ status: 204 }, "unexpected body in a response with status 204"],
    [{ status: 199 }, `${STATUS} 199`],
    [{ status: 600 }, `${STATUS} 600`],
    [{ status: "200" }, `${STATUS} 200`],
  ] as const
) {
  test(`a resource with ${JSON.stringify(part)} is an unexpected error`, async () => {
    const found = { status: 200, headers: {}, body: "x", ...part };
    const errors: string[] = [];
    const response = await request({
      explorer: () => found as ResourceResponse,
      onError: (error) => void errors.push(`${error}`),
    }, "/");
    assertEquals(response.status, 400);
    assertEquals(errors, [`TypeError: ${message}`]);
  });
}

for (const type of ["Uint8Array", "DataView"]) {
  test(`a resource can have a ${type} of another realm as its body`, async () => {
    const code = `new ${type}(Uint8Array.of(0, 111, 107).buffer, 1)`;
    const found = { status: 200, headers: {}, body: runInNewContext(code) };
    const response = await request({ explorer: () => found }, "/");
    assertEquals([response.status, await response.text()], [200, "ok"]);
  });
}

for (
  const [status, body, length] of [
    [599, "🌿", { "content-length": "4" }],
    [599, undefined, { "content-length": "0" }],
    [204, undefined, {}],
  ] as const
) {
  test(`a resource with ${status} and the body ${body} keeps only its own headers`, async () => {
    // The value of another header is not the header.
    const kept = { "x-route": "vary", "teapot": "2" };
    const framing = { "TE": "4", "Connection": "5", "Content-Length": "9" };
    const policy = {
      "access-control-allow-origin": "*",
      "x-content-Type-options": "off",
      "X-Request-ID": "1",
    };
    const headers = {
      ...{ ...kept, ...framing, ...policy },
      "Transfer-Encoding": "chunked",
    };
    const found = { status, headers, ...body !== undefined && { body } };
    const cors = "https://a.example, https://b.example";
    const response = await request({ explorer: () => found, cors }, "/");
    assertEquals(response.status, status);
    assertEquals(await response.text(), body ?? "");
    response.headers.delete("content-type");
    const added = { "vary": "Origin", "x-content-type-options": "nosniff" };
    const expected = { ...kept, ...length, ...added };
    assertEquals(Object.fromEntries(response.headers), expected);
  });
}

for (
  const [status, headers, known, expected] of [
    [200, { "ETag": '"a,b"' }, '"a,b"', 304],
    [299, { "eTag": 'W/"a"' }, '"x" , W/"a"', 304],
    [200, { "etag": '"a"' }, '"b,"a"', 200],
    [200, { "ETag": '""' }, '"a", ""', 304],
    [200, { "ETag": '"a' }, '"a', 200],
    [200, { "ETag": '"a"' }, "*", 304],
    [200, { "ETag": '"a"' }, "a", 200],
    [200, { "X-A": "ETag", "X-B": '"a"' }, '"a"', 200],
    [302, { "ETag": '"a"' }, '"a"', 302],
  ] as const
) {
  test(`If-None-Match: ${known} returns ${expected} for ${status} and ${JSON.stringify(headers)}`, async () => {
    const explorer = () => ({ status, headers: { ...headers }, body: "x" });
    const init = { headers: { "if-none-match": known } };
    const response = await request({ explorer }, "/", init);
    assertEquals(response.status, expected);
    assertEquals(await response.text(), expected === 304 ? "" : "x");
  });
}
