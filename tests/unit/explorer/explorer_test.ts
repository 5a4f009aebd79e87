import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import {
  createHandler,
  createMemoryStore,
  type HandlerOptions,
  type PlantStore,
} from "../../../mod.ts";
import users from "../../../data/tokens.json" with { type: "json" };
import { DEMO_TOKENS } from "../../../src/shared/demo_tokens.ts";
import {
  createStaticExplorer,
  explorer,
} from "../../../src/explorer/explorer.ts";

/** Creates a store with a user who has these tokens. */
function createStore(...tokens: string[]) {
  return createMemoryStore({
    plants: [],
    users: { anyone: { plants: "all", tokens } },
  });
}

const ALL = [...DEMO_TOKENS.keys()];
const DEMO = createStore(...ALL);
const openapi = () => ({ headers: {}, text: "" });

const get = (
  store: PlantStore,
  options: HandlerOptions = {},
  target = "/",
) => createHandler(store, { explorer, ...options })(target);

test("DEMO_TOKENS and README.md list the tokens of the demo data", async () => {
  const { $schema: _, ...others } = users;
  const tokens = Object.values<{ tokens: unknown[] }>(others)
    .flatMap(({ tokens }) => tokens.filter((each) => typeof each === "string"));
  assertEquals(ALL, tokens);
  const readme = await readFile("README.md", "utf8");
  const listed = readme.matchAll(/^- `(demo-\w+)`: /gm);
  const shown = Array.from(listed, ([, token]) => token);
  assertEquals(shown.sort(), [...ALL, "demo-expired"].sort());
});

/** Returns the demo tokens in the page. */
function findTokens(html: string): string[] {
  const matches = html.matchAll(/value="(demo-[^"]*)"/g);
  return Array.from(matches, ([, token]) => token!);
}

/** Returns the source in a Content-Security-Policy that allows a text. */
const allow = (text: string | undefined) =>
  `'sha256-${createHash("sha256").update(text!).digest("base64")}'`;

test("explorer() returns one small document, whose policy allows only its parts", async () => {
  const response = await get(DEMO);
  const { headers } = response;
  const html = await response.text();
  const { length } = gzipSync(html);
  assert(length <= 12_000, `${length} bytes with gzip`);
  assertEquals(headers.get("content-type"), "text/html; charset=utf-8");
  assertEquals(headers.get("cache-control"), "no-cache");
  assertMatch(html, /^<!DOCTYPE html>[^]*<\/html>\n$/);
  const [, style] = /<style>([^]*?)<\/style>/.exec(html)!;
  const [, script] = /<script type="module">([^]*?)<\/script>/.exec(html)!;
  assertEquals(
    headers.get("content-security-policy"),
    `default-src 'none'; style-src ${allow(style)}; ` +
      `script-src ${allow(script)}; connect-src 'self'; img-src data:; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  assertNotMatch(html, /<!--|\s(?:href|action)="\/|openapi\.json">/);
});

test("createStaticExplorer() returns the page with its policy, the script, and links", async () => {
  const response = await get(DEMO, { openapi });
  const html = await createStaticExplorer(DEMO, {
    script: 'a.js?$&"<b>',
    links: { "A & B": "../", "<b>$'": "/?a&b$'" },
  });
  const policy = response.headers.get("content-security-policy")!
    .replace("script-src", "script-src 'self'")
    .replace("frame-ancestors 'none'", "worker-src 'self'");
  const added = `
<meta http-equiv="Content-Security-Policy" content="${policy}" />
<script type="module" src="a.js?$&amp;&quot;&lt;b>" blocking="render"></script>`;
  const links = `<a href="../">A &amp; B</a>
<a href="/?a&amp;b$'">&lt;b>$'</a>
`;
  assert(html.includes(`<head>${added}`)); // before what it applies to
  assert(html.includes(`${links}<a href="openapi.json">`));
  assertEquals(
    html.replace(added, "").replace(links, "")
      .replace(' data-live data-base="."', ' data-base=""'),
    await response.text(),
  );
});

for (
  const [publicUrl, path] of [
    ["https://plants.example", "/"],
    ["https://plants.example/a&b/c/", "/a&amp;b/c/"],
    [undefined, ""],
  ] as const
) {
  test(`explorer() sends requests to the path of ${publicUrl}`, async () => {
    const options = { basePath: "/v1", openapi, ...publicUrl && { publicUrl } };
    const page = await (await get(DEMO, options, "/v1/")).text();
    assert(page.includes(`<html data-base="${path}" `));
    assert(page.includes(`<a href="${path}openapi.json">`));
    assertEquals(await (await get(DEMO, options, "/v1")).text(), page);
  });
}

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
    const html = await (await get(store)).text();
    assertEquals(findTokens(html), expected);
    for (const token of expected.slice(0, -1)) {
      assert(html.includes(`<small>${DEMO_TOKENS.get(token)}</small>`));
    }
    assertEquals(
      /Enter a token of this server/.test(html),
      expected.length === 0,
    );
  });
}
