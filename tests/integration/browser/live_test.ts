import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { after, before, test, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Browser, Page } from "playwright-core";
import { makeFolder } from "../../support/files.ts";
import { Explorer, openBrowser } from "./browser.ts";

const exec = promisify(execFile);

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript",
};

/** Builds the site and serves it as a static host does, below a path. */
async function serveSite(t: TestContext, path = "/") {
  const folder = await makeFolder(t);
  await exec(process.execPath, [
    ...["--import", "tsx", "examples/service_worker/build.ts", folder],
  ]);
  /** The paths that the host was asked for. */
  const requested: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url!, "http://h");
    requested.push(pathname);
    const name = pathname.slice(path.length) || "index.html";
    const type = TYPES[name.split(".").at(-1)!];
    if (!pathname.startsWith(path) || type === undefined) {
      response.writeHead(404).end("Not found on the static host");
      return;
    }
    response.writeHead(200, {
      "Content-Type": type,
      "Cache-Control": "max-age=600", // as GitHub Pages does
    }).end(await readFile(join(folder, name)));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${path}`, folder, requested };
}

/** Waits until the worker responds to the page. */
async function untilLive({ page }: Explorer): Promise<void> {
  await page.locator("#no-worker").waitFor({ state: "detached" });
  assert(await page.locator("#live").isVisible());
}

/** Returns the names of the plants that the page gets. */
async function listNames(page: Page): Promise<readonly string[]> {
  return await page.evaluate(async () => {
    const headers = { authorization: "Bearer demo-curator" };
    const response = await fetch("plants", { headers });
    const plants: readonly { readonly name: string }[] = await response.json();
    return plants.map(({ name }) => name);
  });
}

for (const path of ["/", "/docs/plants/"]) {
  test(`a service worker responds below ${path}`, async (t) => {
    const { url, requested } = await serveSite(t, path);
    const explorer = await Explorer.open(browser, url);
    await untilLive(explorer);
    assert(await explorer.page.locator("#snippet").isHidden());
    await explorer.send("200 OK");
    assertEquals(await explorer.cards.count(), 12);
    await explorer.send("304 Not Modified");
    await explorer.send(/^401 /, "Unknown token");
    const statuses = await explorer.page.evaluate(async () =>
      await Promise.all(
        ["healthz", "readyz", "openapi.json", "plants", "plants/"].map(
          async (name) => (await fetch(name)).status,
        ),
      )
    );
    assertEquals(statuses, [200, 200, 200, 401, 404]);
    const servers = await explorer.page.evaluate(async () =>
      (await (await fetch("openapi.json")).json()).servers
    );
    assertEquals(servers, [{ url: url.slice(0, -1) }]);
    const reached = new Set(requested);
    for (const name of ["plants", "openapi.json", "healthz", "readyz"]) {
      assert(!reached.has(`${path}${name}`), name);
    }
    assert(reached.has(path));
    await explorer.close();
  });
}

test("the service worker responds after it was stopped", async (t) => {
  const { url } = await serveSite(t);
  const explorer = await Explorer.open(browser, url);
  await untilLive(explorer);
  const { page } = explorer;
  const session = await page.context().newCDPSession(page);
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.stopAllWorkers");
  await explorer.send("200 OK");
  await explorer.close();
});

test("the service worker responds after a hard reload", async (t) => {
  const { url } = await serveSite(t);
  const explorer = await Explorer.open(browser, url);
  await untilLive(explorer);
  const { page } = explorer;
  const session = await page.context().newCDPSession(page);
  await session.send("Page.enable");
  const loaded = page.waitForEvent("load");
  await session.send("Page.reload", { ignoreCache: true });
  await loaded;
  await untilLive(explorer);
  await explorer.send("200 OK");
  await explorer.close();
});

test("a deployment replaces the plants on the next visit", async (t) => {
  const { url, folder } = await serveSite(t);
  const explorer = await Explorer.open(browser, url);
  await untilLive(explorer);
  const { page } = explorer;
  const [first] = await listNames(page);
  const file = join(folder, "worker.js");
  const code = await readFile(file, "utf8");
  assert(code.includes(first!));
  await writeFile(file, code.replaceAll(first!, "Planta nova"));
  await page.reload();
  await untilLive(explorer);
  assertEquals((await listNames(page))[0], "Planta nova");
  await explorer.close();
});

test("the page says that it needs a service worker", async (t) => {
  const { url, folder } = await serveSite(t);
  const context = await browser.newContext();
  t.after(() => context.close());
  await context.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, "serviceWorker");
  });
  const page = await context.newPage();
  for (const address of [url, `${pathToFileURL(folder)}/index.html`]) {
    await page.goto(address);
    assertMatch(
      await page.locator("#no-worker").innerText(),
      /^This page needs a service worker\./,
    );
  }
});
