import { createHash } from "node:crypto";
import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  createHandler,
  createMemoryStore,
  type HandlerOptions,
  type PlantStore,
  StoreUnavailableError,
} from "../../mod.ts";
import { page } from "../../src/page/page.ts";

const openapi = () => ({ status: 200, headers: {} });

/** Creates a store with a user who has these tokens. */
function createStore(...tokens: string[]) {
  return createMemoryStore({
    plants: [],
    users: { anyone: { plants: "all", tokens } },
  });
}

const DEMO = createStore("demo-curator", "demo-florist", "demo-visitor");

async function get(
  store: PlantStore,
  options: HandlerOptions = {},
  request: string | Request = "http://localhost/",
): Promise<Response> {
  return await createHandler(store, { page, ...options })(new Request(request));
}

async function read(
  store: PlantStore,
  options: HandlerOptions = {},
): Promise<string> {
  return await (await get(store, options)).text();
}

/** Returns the demo tokens in the page. */
function findTokens(html: string): string[] {
  return Array.from(
    html.matchAll(/value="(demo-[^"]*)"/g),
    ([, token]) => token!,
  );
}

test("page: one complete HTML document of at most 30 kB", async () => {
  const response = await get(DEMO, { openapi });
  const bytes = new Uint8Array(await response.arrayBuffer());
  assert(bytes.length <= 30_000, `${bytes.length}`);
  const { headers } = response;
  assertEquals(headers.get("content-length"), `${bytes.length}`);
  assertEquals(headers.get("content-type"), "text/html; charset=utf-8");
  assertEquals(headers.get("cache-control"), "no-cache");
  const text = new TextDecoder().decode(bytes);
  assertMatch(text, /^<!DOCTYPE html>[^]*<\/html>\n$/);
  assertEquals(text.match(/<!--/), null);
});

test("page: the policy allows only its own style sheet and script", async () => {
  const response = await get(DEMO);
  const html = await response.text();
  const [style, script] = [
    /<style>([^]*?)<\/style>/,
    /<script type="module">([^]*?)<\/script>/,
  ].map((element) => {
    const text = element.exec(html)![1]!;
    return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  });
  assertEquals(
    response.headers.get("content-security-policy"),
    `default-src 'none'; style-src ${style}; script-src ${script}; ` +
      "connect-src 'self'; img-src data:; base-uri 'none'; " +
      "form-action 'none'; frame-ancestors 'none'",
  );
  assertEquals(html.match(/<(?:style|script)\b/g)!.length, 2);
  assertEquals(html.match(/\son\w+=|\sstyle=/), null);
});

test("page: loads nothing else", async () => {
  const html = await read(DEMO, { openapi });
  assertEquals(html.match(/\ssrc=|\burl\(|@import|\bimport\b/), null);
  for (const [tag, href] of html.matchAll(/<[^<>]*\shref="([^"]*)"/g)) {
    assert(tag.startsWith("<a ") || href!.startsWith("data:"), tag);
  }
});

test("page: is the same under a base path, with relative URLs", async () => {
  const options = { basePath: "/api", openapi };
  const response = await get(DEMO, options, "http://localhost/api/");
  assertEquals(response.status, 200);
  const html = await response.text();
  assertEquals(html, await read(DEMO, { openapi }));
  assertEquals(html.match(/\s(?:href|action)="\//), null);
  assertMatch(html, /resolvePath\("plants"\)/);
});

test("page: links to the OpenAPI document if there is one", async () => {
  const link = /<a href="openapi\.json">/;
  assertMatch(await read(DEMO, { openapi }), link);
  assertEquals((await read(DEMO)).match(link), null);
});

const ALL = ["demo-curator", "demo-florist", "demo-visitor"];

const FAILING: readonly PlantStore["authenticate"][] = [
  () => {
    throw new StoreUnavailableError("unavailable");
  },
  () => Promise.reject(new TypeError("failed")),
];

for (
  const { name, store, expected } of [
    { name: "all", store: DEMO, expected: [...ALL, "demo-expired"] },
    {
      name: "one of them",
      store: createStore("demo-florist", "another"),
      expected: ["demo-florist", "demo-expired"],
    },
    { name: "none", store: createStore("another"), expected: [] },
    { name: "only expired", store: createStore("demo-expired"), expected: [] },
    ...FAILING.map((authenticate) => ({
      name: "a store that fails",
      store: { authenticate },
      expected: [],
    })),
  ]
) {
  test(`page: offers the demo tokens that are valid, ${name}`, async () => {
    const asynchronous: PlantStore = {
      authenticate: async (token) => await store.authenticate(token),
    };
    for (const each of [store, asynchronous]) {
      const response = await get(each);
      assertEquals(response.status, 200);
      assertEquals(findTokens(await response.text()), expected);
    }
  });
}

test("page: a demo token that is revoked is not offered again", async () => {
  const store = createStore("demo-curator");
  const before = await get(store);
  assertEquals(findTokens(await before.text()).length, 2);
  store.replace({ plants: [], users: {} });
  const after = await get(store);
  assertEquals(findTokens(await after.text()), []);
  assert(before.headers.get("etag") !== after.headers.get("etag"));
});

test("page: contains nothing of the request", async () => {
  const plain = await read(DEMO);
  for (const host of ["<b>&", "evil.example"]) {
    const request = new Request("http://localhost/?limit=%3Cb%3E&token=x", {
      headers: { host },
    });
    const text = await (await get(DEMO, {}, request)).text();
    assert(text === plain || text.startsWith('{"error":400'), text);
  }
});

test("page: If-None-Match returns 304 until the page changes", async () => {
  const etag = (await get(DEMO)).headers.get("etag")!;
  const headers = { "if-none-match": etag };
  const request = () => new Request("http://localhost/", { headers });
  const response = await get(DEMO, {}, request());
  assertEquals(response.status, 304);
  assertEquals(await response.text(), "");
  assertEquals((await get(createStore(), {}, request())).status, 200);
});

test("page: HEAD returns the headers of GET", async () => {
  const request = new Request("http://localhost/", { method: "HEAD" });
  const head = await get(DEMO, {}, request);
  assertEquals([...head.headers], [...(await get(DEMO)).headers]);
  assertEquals(await head.text(), "");
});
