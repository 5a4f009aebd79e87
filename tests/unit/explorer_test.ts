import { createHash } from "node:crypto";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  createHandler,
  createMemoryStore,
  type HandlerOptions,
  type PlantStore,
} from "../../mod.ts";
import { DEMO_TOKENS } from "../../src/domain/demo_tokens.ts";
import { createStaticExplorer, explorer } from "../../src/explorer/explorer.ts";

/** Creates a store with a user who has these tokens. */
function createStore(...tokens: string[]) {
  return createMemoryStore({
    plants: [],
    users: { anyone: { plants: "all", tokens } },
  });
}

const ALL = [...DEMO_TOKENS.keys()];
const DEMO = createStore(...ALL);

const get = (
  store: PlantStore,
  options: HandlerOptions = {},
  target = "/",
) => createHandler(store, { explorer, ...options })(target);

/** Returns the demo tokens in the page. */
function findTokens(html: string): string[] {
  const matches = html.matchAll(/value="(demo-[^"]*)"/g);
  return Array.from(matches, ([, token]) => token!);
}

test("explorer() returns one complete HTML document of at most 12 kB compressed", async () => {
  const response = await get(DEMO);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { length } = gzipSync(bytes);
  assert(length <= 12_000, `${length}`);
  const { headers } = response;
  assertEquals(headers.get("content-length"), `${bytes.length}`);
  assertEquals(headers.get("content-type"), "text/html; charset=utf-8");
  assertEquals(headers.get("cache-control"), "no-cache");
  const digest = createHash("sha256").update(bytes).digest("hex");
  assertEquals(headers.get("etag"), `"${digest.slice(0, 32)}"`);
  const text = new TextDecoder().decode(bytes);
  assertMatch(text, /^<!DOCTYPE html>[^]*<\/html>\n$/);
  assertEquals(text.match(/<!--/), null);
});

test("explorer() allows only its own style sheet and script", async () => {
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

test("explorer() has relative URLs, and links to the OpenAPI document if there is one", async () => {
  const openapi = () => ({ status: 200, headers: {} });
  const html = await (await get(DEMO, { openapi })).text();
  assertMatch(html, /<a href="openapi\.json">/);
  assertEquals(html.match(/\s(?:href|action)="\//), null);
  assertMatch(html, /resolvePath\("plants"\)/);
  const response = await get(DEMO, { basePath: "/api" }, "/api/");
  assertEquals((await response.text()).match(/openapi\.json">/), null);
});

test("createStaticExplorer() returns the page with its policy and the script", async () => {
  const response = await get(DEMO, {
    openapi: () => ({ status: 200, headers: {} }),
  });
  const html = await createStaticExplorer(DEMO, {
    script: "a.js",
    links: { Home: "../", "A & B": "../b" },
  });
  const [whole, policy] =
    /<meta http-equiv="Content-Security-Policy" content="([^"]*)" \/>\n/
      .exec(html)!;
  assertEquals(
    policy,
    response.headers.get("content-security-policy")!
      .replace("script-src", "script-src 'self'")
      .replace("frame-ancestors 'none'", "worker-src 'self'"),
  );
  // The policy must precede what it applies to.
  assert(html.indexOf(whole) < html.indexOf("<script"));
  assertEquals(
    html.replace(whole, "").replace(" data-live", "")
      .replace(
        '<script type="module" src="a.js" blocking="render"></script>\n',
        "",
      )
      .replace('<a href="../">Home</a>\n<a href="../b">A &amp; B</a>\n', ""),
    await response.text(),
  );
});

test("createStaticExplorer() escapes URLs", async () => {
  const html = await createStaticExplorer(DEMO, {
    script: 'a.js?$&"<b>',
    links: { "<b>$'": "/?a&b$'" },
  });
  assertMatch(html, /<script type="module" src="a\.js\?\$&amp;&quot;&lt;b>" /);
  assertMatch(html, /<a href="\/\?a&amp;b\$'">&lt;b>\$'<\/a>/);
});

test("explorer() looks up the demo tokens at most once a second", async (t) => {
  let time = 0;
  const { now } = performance;
  performance.now = () => time;
  t.after(() => performance.now = now);
  const tokens: string[] = [];
  let valid = "demo-florist";
  const store: PlantStore = {
    async authenticate(token) {
      tokens.push(token);
      await Promise.resolve();
      return token === valid ? { name: "u", list: () => [] } : undefined;
    },
  };
  const find = async () => findTokens(await (await get(store)).text());
  const [first, second] = await Promise.all([find(), find()]);
  assertEquals(second, first);
  valid = "demo-curator";
  time = 999;
  assertEquals(await find(), ["demo-florist", "demo-expired"]);
  assertEquals(tokens, ALL);
  time = 1_000;
  assertEquals(await find(), ["demo-curator", "demo-expired"]);
  assertEquals(tokens, [...ALL, ...ALL]);
});

const failing = () => Promise.reject(new TypeError("failed"));

for (
  const [name, store, expected] of [
    ["all of them", DEMO, [...ALL, "demo-expired"]],
    [
      "one of them",
      createStore("demo-florist", "another"),
      ["demo-florist", "demo-expired"],
    ],
    ["only the expired one", createStore("demo-expired"), []],
    ["a failing store", { authenticate: failing }, []],
  ] as readonly (readonly [string, PlantStore, readonly string[]])[]
) {
  test(`explorer() offers the valid demo tokens: ${name}`, async () => {
    const asynchronous: PlantStore = {
      authenticate: async (token) => await store.authenticate(token),
    };
    for (const each of [store, asynchronous]) {
      const response = await get(each);
      assertEquals(response.status, 200);
      const html = await response.text();
      assertEquals(findTokens(html), expected);
      const effects = Array.from(
        html.matchAll(/<small>(.*)<\/small><\/button>/g),
        ([, effect]) => effect,
      );
      const valid = expected.filter((token) => DEMO_TOKENS.has(token));
      assertEquals(effects, valid.map((token) => DEMO_TOKENS.get(token)));
      assertEquals(/plant-store init/.test(html), expected.length === 0);
    }
  });
}
