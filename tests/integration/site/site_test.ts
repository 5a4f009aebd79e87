import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { makeFolder } from "../../support/files.ts";
import { runProgram } from "../../support/program.ts";
import { browser, Explorer } from "../browser/browser.ts";
import { startHost } from "./host.ts";

// Builds the documentation site, and opens it on a static host, below a path.

const BASE = "/plant-store/";

/** Limits in bytes for the home page, and for a page and one of its requests. */
const MAX_HOME = 110_000, MAX_RUN = 130_000;

const folder = await makeFolder({ after });
await runProgram(process.execPath, [
  ...["--import", "tsx", "site/build.ts", "--base", BASE, "--out", folder],
]);
const host = await startHost({ after }, folder, BASE);
const pages = (await readdir(folder)).filter((name) => /\.html$/.test(name));

/** Opens a page of the site. */
async function open(path: string, options = {}) {
  const explorer = await Explorer.open(host.url + path, options);
  return { explorer, page: explorer.page };
}

test("each Run button shows the responses in the document", async () => {
  let count = 0;
  for (const name of pages) {
    const html = await readFile(join(folder, name), "utf8");
    if (!html.includes("<plant-run ")) continue;
    const { explorer, page } = await open(name.replace(/\.html$/, ""));
    const requests: string[] = [];
    page.on("request", (request) => {
      if (request.resourceType() !== "script") requests.push(request.url());
    });
    await page.locator("plant-run button").first().waitFor();
    const buttons = await page.locator("plant-run button").all();
    for (const button of buttons) await button.click();
    for (const status of await page.locator("plant-run [role=status]").all()) {
      await status.filter({ hasText: "match the output above" }).waitFor();
      assertNotMatch(await status.innerText(), /: 0 of 0$/);
    }
    const wrong = page.locator("[data-same=false] pre:first-of-type");
    assertEquals(await wrong.allTextContents(), [], name);
    count += await page.locator("[data-same=true]").count();
    assertEquals(requests, []); // only scripts are loaded
    await explorer.close();
  }
  assert(count >= 20, `${count}`);
});

test("a Run button shows differences from the document", async () => {
  const { explorer, page } = await open("http-api");
  const element = page.locator("plant-run").first();
  await element.locator("button").waitFor();
  await element.evaluate((element) => {
    const commands = element.getAttribute("commands")!;
    const changed = commands.replaceAll("Monstera", "Planta");
    element.setAttribute("commands", changed);
    element.replaceWith(element); // connects it again
  });
  await element.locator("button").click();
  const result = element.locator("[data-same=false]");
  const lines = await result.locator("pre").first().innerText();
  assertMatch(lines, /^- \[\{"name":"Planta .*\n\+ \[\{"name":"Monstera /);
  assertEquals(
    await element.locator("[role=status]").innerText(),
    "Responses that match the output above: 0 of 1",
  );
  await explorer.close();
});

test("without the script of the API, buttons report a failure and stay usable", async () => {
  for (const path of ["http-api", ""]) {
    const { explorer, page } = await open(path);
    await page.locator("plant-run, plant-verify").first().waitFor();
    await page.route(/\.js$/, (route) => route.abort());
    const button = page.locator(":is(plant-run, plant-verify) button").first();
    for (const _ of ["once", "again"]) {
      await button.click();
      await explorer.see(
        ":is(plant-run, plant-verify) [role=status]",
        /Cannot run: .* Reload the page, and try again\./,
      );
      await button.click({ trial: true }); // waits until it is enabled
    }
    await page.context().close();
  }
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.route(/\/api\.[^/]*\.js$/, (route) => route.abort());
  await page.goto(host.url);
  await page.locator("plant-live .status", { hasText: "No response" })
    .waitFor();
  await page.locator("plant-live .meaning", { hasText: "Cannot run: " })
    .waitFor();
  await context.close();
});

test("requests for other servers have a reason", async () => {
  const { explorer, page } = await open("tutorial");
  const reasons = await page.locator(".not-run").allTextContents();
  assert(
    reasons.includes(
      "Run it in a terminal: it needs the server from “2. Authenticate users”.",
    ),
    `${reasons}`,
  );
  await explorer.close();
});

test("the home page sends a request that can be changed", async () => {
  const { explorer, page } = await open("");
  await explorer.see("plant-live .status", "200 OK");
  await explorer.see("plant-live", "the first 2 plants that its user can see");
  await explorer.see("plant-live th", "ETag");
  await explorer.see("plant-live small", "Identifies this version");
  await explorer.field("Limit").fill("-1");
  await explorer.see("plant-live .status", "400 Bad Request");
  await explorer.field("Limit").fill("");
  await explorer.field("Token").selectOption("demo-visitor");
  await explorer.see("plant-live", "An empty list is not an error");
  await explorer.field("Token").selectOption("unknown-token");
  await explorer.see("plant-live .status", "401 Unauthorized");
  await explorer.see("plant-live td", "Required scheme");
  await explorer.field("Token").selectOption("demo-unavailable");
  await explorer.see("plant-live td", "Seconds to wait");
  await page.locator("plant-live a").click();
  await explorer.see("h1", "Plant Store");
  assertEquals(page.url(), `${host.url}api/`);
  await explorer.close();
});

test("only the API explorer uses a service worker", async () => {
  const { explorer, page } = await open("");
  await page.getByRole("link", { name: "API explorer" }).first().click();
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await explorer.send("200 OK");
  await explorer.send("404 Not Found", "Unknown path 404");
  assertMatch(
    await explorer.text("#result"),
    /are at \/plant-store\/api\/plants/,
  );
  const names = [...host.sent.keys()];
  assertEquals(
    names.filter((name) => /^api\/(?:plants|unknown)/.test(name)),
    [],
  );

  // In the address bar.
  const response = await page.goto(`${host.url}api/healthz`);
  assertEquals(await response!.json(), { status: "ok" });

  await page.goto(`${host.url}api/`);
  await page.getByRole("link", { name: "Home" }).click();
  await explorer.see("plant-live .status", "200 OK");
  const isControlled = () => navigator.serviceWorker.controller !== null;
  assertEquals(await page.evaluate(isControlled), false);
  await explorer.close();
});

for (const path of ["", "tutorial", "http-api", "api/"]) {
  test(`the page "${path}" and its results are accessible, in light and dark colors`, async () => {
    const { explorer, page } = await open(path, { reducedMotion: "reduce" });
    if (path === "http-api") {
      for (const index of [0, 2]) {
        await page.locator("plant-run button").nth(index).click();
      }
      await explorer.see(
        "plant-run",
        "Responses that match the output above: 2 of 2",
      );
    }
    if (path === "") {
      await explorer.press("Run the test cases");
      await explorer.see("plant-verify", /test cases passed/);
      const text = await explorer.text("plant-verify [role=status]");
      const [, passed, all] = /^(\d+) of (\d+) test cases passed/.exec(text)!;
      assertEquals(passed, all);
      assert(Number(all) > 200, text);
    }
    await explorer.checkBoth(path);
    await explorer.close();
  });
}

test("pages are small", async (t) => {
  host.sent.clear();
  const { explorer, page } = await open("");
  const total = () =>
    [...host.sent.values()].reduce((sum, size) => sum + size, 0);
  await explorer.see("plant-live .status", "200 OK");
  await page.waitForLoadState("networkidle");
  t.diagnostic(`home: ${total()} bytes`);
  assert(total() <= MAX_HOME, `${total()}`);
  await page.locator("plant-later").scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.images[0]!.naturalWidth > 0);
  await explorer.close();

  host.sent.clear();
  const run = await open("http-api");
  await run.page.locator("plant-run button").first().click();
  await run.explorer.see(
    "plant-run",
    "Responses that match the output above: 1 of 1",
  );
  await run.page.waitForLoadState("networkidle");
  t.diagnostic(`http-api with a request: ${total()} bytes`);
  assert(total() <= MAX_RUN, `${total()}`);
  await run.explorer.close();
});

test("links and anchors are valid, and each page has a policy", async () => {
  const html = new Map<string, string>();
  for (const name of pages) {
    html.set(name, await readFile(join(folder, name), "utf8"));
  }
  let count = 0;
  for (const [name, text] of html) {
    assertMatch(text, /<head>\s*<meta http-equiv="Content-Security-Policy"/);
    for (const [, href] of text.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      const url = new URL(href!, `http://site${BASE}${name}`);
      if (url.host !== "site") continue;
      const path = posix.relative(BASE, url.pathname);
      if (path === "api") continue;
      const target = html.get(
        path === "" ? "index.html" : path.replace(/(?:\.html)?$/, ".html"),
      );
      assert(target !== undefined, `${name}: ${href}`);
      const id = decodeURIComponent(url.hash.slice(1));
      assert(id === "" || target.includes(` id="${id}"`), `${name}: ${href}`);
      count++;
    }
  }
  assert(count > 100, `${count}`);
});
