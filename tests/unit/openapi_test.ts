import { createHash } from "node:crypto";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { createHandler, createMemoryStore } from "../../mod.ts";
import { openapi } from "../../src/openapi/openapi.ts";

const store = createMemoryStore({ plants: [], users: {} });
const handler = createHandler(store, { openapi });

const ask = (url: string, headers: Record<string, string> = {}) =>
  handler(new Request(url, { headers }));

test("openapi names the address that the request came to", async () => {
  for (
    const [url, server] of [
      ["http://h:8080/openapi.json?x", "http://h:8080"],
      ["https://h/openapi.json", "https://h"],
      ["http://[::1]:1/openapi.json", "http://[::1]:1"],
    ] as const
  ) {
    const response = await ask(url);
    assertEquals((await response.json()).servers, [{ url: server }]);
  }
});

test("openapi names a relative address where there is no other", async () => {
  for (const [baseUrl, url] of [["", "/"], ["/api", "/api"]] as const) {
    const { body } = await openapi({ baseUrl, store, hasOpenapi: true });
    const text = new TextDecoder().decode(body as Uint8Array);
    assertEquals(JSON.parse(text).servers, [{ url }]);
  }
});

test("openapi has a strong tag of the exact body, and is revalidated", async () => {
  const tags = new Set<string>();
  for (const url of ["http://a/openapi.json", "http://b/openapi.json"]) {
    const response = await ask(url);
    const body = await response.text();
    const digest = createHash("sha256").update(body).digest("hex");
    const etag = `"${digest.slice(0, 32)}"`;
    assertEquals(response.headers.get("etag"), etag);
    assertEquals(response.headers.get("cache-control"), "no-cache");
    tags.add(etag);

    const again = await ask(url, { "if-none-match": etag });
    assertEquals([again.status, await again.text()], [304, ""]);
  }
  assertEquals(tags.size, 2);
});
