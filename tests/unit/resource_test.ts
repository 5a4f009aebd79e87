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

/** Shows what a resource is told. */
const echo: Resource = ({ baseUrl, hasOpenapi }) => ({
  status: 200,
  headers: { "Content-Type": "text/plain", "ETag": '"e"' },
  body: `${baseUrl} ${hasOpenapi}`,
});

async function ask(
  options: HandlerOptions,
  url: string,
  init: RequestInit = {},
): Promise<Response> {
  return await createHandler(store, options)(new Request(url, init));
}

async function read(options: HandlerOptions, url: string): Promise<string> {
  const response = await ask(options, url);
  assertEquals(response.status, 200);
  return await response.text();
}

test("neither page nor document is there unless it is given", async () => {
  for (const path of ["/", "/openapi.json"]) {
    const response = await ask({}, `http://localhost${path}`);
    assertEquals(response.status, 404);
  }
  const response = await ask({ page: echo }, "http://localhost/openapi.json");
  assertEquals(response.status, 404);
});

test("page and document are told the address that the request came to", async () => {
  const both = { page: echo, openapi: echo };
  assertEquals(await read({ page: echo }, "http://h:1/"), "http://h:1 false");
  assertEquals(await read(both, "https://h/"), "https://h true");
  assertEquals(await read(both, "http://h/openapi.json"), "http://h true");
  const under = { ...both, basePath: "/api" };
  assertEquals(await read(under, "http://h/api/"), "http://h/api true");
  assertEquals((await ask(under, "http://h/api")).status, 404);
});

test("a public URL overrides it whole", async () => {
  const options = { page: echo, basePath: "/api" };
  for (const publicUrl of ["https://p.example/x", "https://p.example/x/"]) {
    assertEquals(
      await read({ ...options, publicUrl }, "http://h/api/"),
      "https://p.example/x false",
    );
  }
  for (const publicUrl of ["p.example", "ftp://p", "https://p?q", ""]) {
    assertThrows(() => createHandler(store, { publicUrl }), RangeError);
  }
});

test("a client that has the page is told so", async () => {
  const known = { headers: { "if-none-match": '"x",   W/"e"' } };
  const response = await ask({ page: echo }, "http://h/", known);
  assertEquals(response.status, 304);
  assertEquals(response.headers.get("etag"), '"e"');
  assertEquals(response.headers.get("content-type"), null);
  assertEquals(await response.text(), "");
});

test("HEAD and OPTIONS are answered, other methods refused", async () => {
  const options = { page: echo };
  for (
    const [method, status] of [["HEAD", 200], ["OPTIONS", 204], [
      "POST",
      405,
    ]] as const
  ) {
    const response = await ask(options, "http://h/", { method });
    assertEquals(response.status, status);
  }
});

test("a resource that fails is an unexpected failure, told to onError", async () => {
  const errors: unknown[] = [];
  const response = await ask({
    page: () => Promise.reject("broken"),
    onError: (error) => errors.push(error),
  }, "http://h/");
  assertEquals(response.status, 400);
  assertEquals(errors, ["broken"]);
});

const INVALID: readonly (readonly [string, Partial<ResourceResponse>])[] = [
  ["a header value outside of Latin-1", { headers: { "X-Plant": "植" } }],
  ["a line end in a header value", { headers: { "X-Plant": "a\r\nb: c" } }],
  ["a space in a header name", { headers: { "X Plant": "a" } }],
  ["a body with status 204", { status: 204 }],
  ["an informational status", { status: 103 }],
  ["a status that is text", { status: "200" as unknown as number }],
];
for (const [id, part] of INVALID) {
  test(`a resource with ${id} is an unexpected failure`, async () => {
    const errors: unknown[] = [];
    const response = await ask({
      page: () => ({ status: 200, headers: {}, body: "x", ...part }),
      onError: (error) => errors.push(error),
    }, "http://h/");
    assertEquals(response.status, 400);
    assertEquals((await response.json()).error, 500);
    assertEquals(errors.length, 1);
  });
}

test("the service sets the Content-Length of a resource", async () => {
  for (const body of ["🌿", undefined]) {
    const response = await ask({
      page: () => ({
        status: 200,
        headers: { "Content-Length": "9", "Transfer-Encoding": "chunked" },
        ...body !== undefined && { body },
      }),
    }, "http://h/");
    assertEquals(response.headers.get("content-length"), body ? "4" : "0");
    assertEquals(response.headers.get("transfer-encoding"), null);
    assertEquals(await response.text(), body ?? "");
  }
});
