import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import {
  createHandler,
  createMemoryStore,
  type ResourceResponse,
} from "../../../../mod.ts";

const store = createMemoryStore({ plants: [], users: {} });

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

for (
  const [known, expected] of [
    ["ETAG", 304],
    ['"x" , W/ETAG', 304],
    ['"a,b", ETAG', 304],
    ['"b,ETAG', 200],
    ["*", 304],
    ["TEXT", 200],
    ['""', 200],
  ] as const
) {
  test(`If-None-Match: ${known} returns ${expected}`, async () => {
    const explorer = () => ({ headers: {}, text: "x" });
    const handler = createHandler(store, { explorer });
    const etag = (await handler("/")).headers.get("etag")!;
    const value = known.replace("ETAG", etag).replace(
      "TEXT",
      etag.slice(1, -1),
    );
    const response = await handler("/", {
      headers: { "if-none-match": value },
    });
    assertEquals(response.status, expected);
    assertEquals(await response.text(), expected === 304 ? "" : "x");
  });
}
