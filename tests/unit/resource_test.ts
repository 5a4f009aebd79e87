import { test } from "node:test";
import { assertEquals, assertThrows } from "@std/assert";
import {
  createHandler,
  createMemoryStore,
  type HandlerOptions,
  type Resource,
  type ResourceResponse,
} from "../../mod.ts";

const store = createMemoryStore({ plants: [], users: {} });

/** Returns the arguments of a resource. */
const echo: Resource = ({ baseUrl, hasOpenapi }) => ({
  status: 200,
  headers: { "Content-Type": "text/plain", "ETag": '"e"' },
  body: `${baseUrl} ${hasOpenapi}`,
});

const request = (options: HandlerOptions, url: string, init?: RequestInit) =>
  createHandler(store, options)(url, init);

for (
  const [url, options, expected] of [
    ["http://h:1/", {}, "http://h:1 false"],
    ["https://h/", { openapi: echo }, "https://h true"],
    ["http://h/openapi.json", { openapi: echo }, "http://h true"],
    ["http://h/api/", { basePath: "/api" }, "http://h/api false"],
    [
      "http://h/api/",
      { basePath: "/api", publicUrl: "https://p.example/x" },
      "https://p.example/x false",
    ],
    [
      "http://h/",
      { publicUrl: "https://p.example/x/" },
      "https://p.example/x false",
    ],
  ] as const
) {
  test(`a resource at ${url} receives ${expected}`, async () => {
    const response = await request({ page: echo, ...options }, url);
    assertEquals(response.status, 200);
    assertEquals(await response.text(), expected);
  });
}

for (
  const [path, options] of [
    ["/", {}],
    ["/openapi.json", { page: echo }],
    ["/api", { page: echo, basePath: "/api" }],
  ] as const
) {
  test(`${path} returns 404 without a resource`, async () => {
    assertEquals((await request(options, path)).status, 404);
  });
}

for (const publicUrl of ["p.example", "ftp://p", "https://p?q", ""]) {
  test(`createHandler() rejects publicUrl "${publicUrl}"`, () => {
    assertThrows(() => createHandler(store, { publicUrl }), RangeError);
  });
}

test("a resource returns 304 if its ETag matches", async () => {
  const headers = { "if-none-match": '"x",   W/"e"' };
  const response = await request({ page: echo }, "/", { headers });
  assertEquals(response.status, 304);
  assertEquals(response.headers.get("etag"), '"e"');
  assertEquals(response.headers.get("content-type"), null);
  assertEquals(await response.text(), "");
});

for (
  const [method, status] of [["HEAD", 200], ["OPTIONS", 204], ["POST", 405]]
) {
  test(`${method} of a resource returns ${status}`, async () => {
    const response = await request({ page: echo }, "/", {
      method: `${method}`,
    });
    assertEquals(response.status, status);
  });
}

const failing: Resource = () => Promise.reject("broken");
const invalid = (part: Partial<ResourceResponse>): Resource => () => ({
  status: 200,
  headers: {},
  body: "x",
  ...part,
});

for (
  const [name, page] of [
    ["rejects", failing],
    ["has a non-Latin-1 header", invalid({ headers: { "X-Plant": "植" } })],
    ["has a line break in a header", invalid({ headers: { X: "a\r\nb: c" } })],
    ["has a space in a header name", invalid({ headers: { "X Plant": "a" } })],
    ["has a body with status 204", invalid({ status: 204 })],
    ["has an informational status", invalid({ status: 103 })],
    ["has a string as its status", invalid({ status: "200" as never })],
  ] as const
) {
  test(`a resource that ${name} is an unexpected error`, async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const response = await request({ page, onError }, "/");
    assertEquals(response.status, 400);
    assertEquals((await response.json()).error, 500);
    assertEquals(errors.length, 1);
    if (page === failing) assertEquals(errors, ["broken"]);
  });
}

for (const [body, length] of [["🌿", "4"], [undefined, "0"]] as const) {
  test(`the Content-Length of a resource with body ${body} is ${length}`, async () => {
    const page = () => ({
      status: 200,
      headers: { "Content-Length": "9", "Transfer-Encoding": "chunked" },
      ...body !== undefined && { body },
    });
    const response = await request({ page }, "/");
    assertEquals(response.headers.get("content-length"), length);
    assertEquals(response.headers.get("transfer-encoding"), null);
    assertEquals(await response.text(), body ?? "");
  });
}
