import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import {
  createHandler,
  createMemoryStore,
  type ResourceResponse,
} from "../../../../mod.ts";

const store = createMemoryStore({ plants: [], users: {} });

test("a resource has the headers of a document, and its own ones", async () => {
  const found: ResourceResponse = {
    headers: { "X-Route": "vary", "content-length": "9", "ETag": '"a"' },
    text: "🌿",
  };
  const cors = "https://a.example, https://b.example";
  const handler = createHandler(store, { explorer: () => found, cors });
  const response = await handler("/");
  assertEquals([response.status, await response.text()], [200, "🌿"]);
  const { etag, ...headers } = Object.fromEntries(response.headers);
  assert(/^"[0-9a-f]{32}"$/.test(etag!));
  assertEquals(headers, {
    "cache-control": "no-cache",
    "content-length": "4",
    "vary": "Origin",
    "x-content-type-options": "nosniff",
    "x-route": "vary",
  });
});

const INVALID: readonly ResourceResponse["headers"][] = [
  { X: "植" },
  { X: "a\r\nb: c" },
  { "X Plant": "a" },
];

for (const headers of INVALID) {
  test(`a resource with ${JSON.stringify(headers)} is an unexpected error`, async () => {
    const errors: unknown[] = [];
    const response = await createHandler(store, {
      explorer: () => ({ headers, text: "x" }),
      onError: (error) => void errors.push(error),
    })("/");
    assertEquals([response.status, errors.length], [400, 1]);
  });
}
