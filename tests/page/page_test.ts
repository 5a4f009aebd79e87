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

/** A store in which these tokens are valid. */
function storeWith(...tokens: string[]): PlantStore {
  return createMemoryStore({
    plants: [],
    users: { anyone: { plants: "all", tokens } },
  });
}

const DEMO = storeWith("demo-curator", "demo-florist", "demo-visitor");

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

/** The tokens that the page offers, the expired one included. */
function offered(html: string): string[] {
  return Array.from(html.matchAll(/data-token="(demo-[^"]*)"/g), ([, t]) => t!);
}

test("the page is at most 30 kB, whole, with its length and its type", async () => {
  const response = await get(DEMO, { openapi });
  const bytes = new Uint8Array(await response.arrayBuffer());
  assert(bytes.length <= 30_000, `${bytes.length}`);
  assertEquals(response.headers.get("content-length"), `${bytes.length}`);
  assertEquals(
    response.headers.get("content-type"),
    "text/html; charset=utf-8",
  );
  assertEquals(response.headers.get("cache-control"), "no-cache");
  const text = new TextDecoder().decode(bytes);
  assertMatch(text, /^<!DOCTYPE html>[^]*<\/html>\n$/);
  assertEquals(text.match(/<!--/), null);
});

test("the policy lets through the page's own style and script alone", async () => {
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

test("the page loads nothing: what it links to is a document", async () => {
  const html = await read(DEMO, { openapi });
  assertEquals(html.match(/\ssrc=|url\(|@import|\bimport\b/), null);
  for (const [tag, href] of html.matchAll(/<[^<>]*\shref="([^"]*)"/g)) {
    const isLoaded = !tag.startsWith("<a ");
    assert(!isLoaded || /^(?:#|data:)/.test(href!), tag);
  }
});

test("every address is relative, so that the page stands under a base path", async () => {
  const options = { basePath: "/api", openapi };
  const based = await get(DEMO, options, "http://localhost/api/");
  assertEquals(based.status, 200);
  const html = await based.text();
  assertEquals(html, await read(DEMO, { openapi }));
  assertEquals(html.match(/\s(?:href|action)="\//), null);
  assertMatch(html, /new URL\("plants", location\.href\)/);
});

test("demo tokens are offered while they are valid, each by itself", async () => {
  for (
    const [valid, expected] of [
      [["demo-curator", "demo-florist", "demo-visitor"], [
        "demo-curator",
        "demo-florist",
        "demo-visitor",
        "demo-expired",
      ]],
      [["demo-florist"], ["demo-florist", "demo-expired"]],
      [["demo-expired"], []],
      [["another"], []],
    ] as const
  ) {
    const store = storeWith(...valid);
    assertEquals(offered(await read(store)), [...expected]);
    const later: PlantStore = {
      authenticate: async (token) => await store.authenticate(token),
    };
    assertEquals(offered(await read(later)), [...expected]);
  }
});

test("a demo token that is revoked is offered no more", async () => {
  const users = (...tokens: string[]) => ({
    anyone: { plants: "all" as const, tokens },
  });
  const store = createMemoryStore({ plants: [], users: users("demo-curator") });
  const before = await get(store);
  assertEquals(offered(await before.text()), ["demo-curator", "demo-expired"]);
  store.replace({ plants: [], users: users() });
  const after = await get(store);
  assertEquals(offered(await after.text()), []);
  assert(before.headers.get("etag") !== after.headers.get("etag"));
});

test("no token is offered while the store fails, and the page is there", async () => {
  for (
    const error of [new StoreUnavailableError("away"), new TypeError("no")]
  ) {
    const failing: PlantStore[] = [
      {
        authenticate() {
          throw error;
        },
      },
      { authenticate: () => Promise.reject(error) },
    ];
    for (const store of failing) {
      const response = await get(store);
      assertEquals(response.status, 200);
      assertEquals(offered(await response.text()), []);
    }
  }
});

test("the document is linked to where there is one", async () => {
  const link = /<a href="openapi\.json">/;
  assertMatch(await read(DEMO, { openapi }), link);
  assertEquals((await read(DEMO)).match(link), null);
});

test("nothing of a request gets into the page", async () => {
  const plain = await read(DEMO);
  for (const host of ["<b>&", "evil.example"]) {
    const request = new Request("http://localhost/?limit=%3Cb%3E&token=x", {
      headers: { host },
    });
    const text = await (await get(DEMO, {}, request)).text();
    assert(text === plain || text.startsWith('{"error":400'), text);
  }
});

test("a client that has the page is told so, until another one is due", async () => {
  const first = await get(DEMO);
  await first.text();
  const headers = { "if-none-match": first.headers.get("etag")! };
  const ask = () => new Request("http://localhost/", { headers });
  const same = await get(DEMO, {}, ask());
  assertEquals(same.status, 304);
  assertEquals(await same.text(), "");
  assertEquals((await get(storeWith(), {}, ask())).status, 200);
});

test("HEAD has the fields of GET", async () => {
  const request = new Request("http://localhost/", { method: "HEAD" });
  const head = await get(DEMO, {}, request);
  const whole = await get(DEMO);
  assertEquals([...head.headers], [...whole.headers]);
  assertEquals(await head.text(), "");
});
