import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { makeFolder } from "../../support/files.ts";
import { runProgram } from "../../support/program.ts";
import { startHost } from "../site/host.ts";
import { browser, Explorer } from "./browser.ts";

// Opens examples/service_worker on a static host, below a path.

const folder = await makeFolder({ after });
const builder = "examples/service_worker/build.ts";
await runProgram(process.execPath, ["--import", "tsx", builder, folder]);
const { url, sent } = await startHost({ after }, folder, "/docs/plants/");

/** Opens the page, or reloads it, and waits until the worker responds. */
async function untilLive({ explorer }: Explorer): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  assert(await page.locator("#live").isVisible());
}

test("a service worker responds below a path", async () => {
  const explorer = await Explorer.open(url);
  await untilLive(explorer);
  const { explorer } = explorer;
  assert(await page.locator("#snippet").isHidden());
  await explorer.send("200 OK");
  assertEquals(await explorer.cards.count(), 5);
  await explorer.field("Send If-None-Match").check();
  await explorer.send("304 Not Modified");
  await explorer.send(/^401 /, "Unknown token 401");
  const names = ["healthz", "readyz", "openapi.json", "plants", "plants/"];
  const statuses = await page.evaluate(
    (names) =>
      Promise.all(names.map(async (name) => (await fetch(name)).status)),
    names,
  );
  assertEquals(statuses, [200, 200, 200, 401, 404]);
  assertEquals(names.filter((name) => sent.has(name)), []);
  const servers = await page.evaluate(async () =>
    (await (await fetch("openapi.json")).json()).servers
  );
  assertEquals(servers, [{ url: url.slice(0, -1) }]);
  await explorer.close();
});

test("the service worker has slow, flaky, and unavailable demo tokens", async () => {
  const explorer = await Explorer.open(url);
  await untilLive(explorer);
  const finished: string[] = [];
  async function list(token: string): Promise<number> {
    const status = await explorer.page.evaluate(async (token) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch("plants", { headers })).status;
    }, token);
    finished.push(token);
    return status;
  }
  const slow = list("demo-slow");
  const statuses: number[] = [];
  for (const token of ["demo-flaky", "demo-unavailable"]) {
    for (let at = 0; at < 3; at++) statuses.push(await list(token));
  }
  statuses.push(await slow);
  assertEquals(finished.at(-1), "demo-slow");
  assertEquals(statuses, [503, 503, 200, 503, 503, 503, 200]);
  await explorer.close();
});

test("the service worker responds after a stop and a hard reload", async () => {
  const explorer = await Explorer.open(url);
  await untilLive(explorer);
  const { explorer } = explorer;
  const session = await page.context().newCDPSession(page);
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.stopAllWorkers");
  await explorer.send("200 OK");
  await session.send("Page.enable");
  const loaded = page.waitForEvent("load");
  await session.send("Page.reload", { ignoreCache: true });
  await loaded;
  await untilLive(explorer);
  await explorer.send("200 OK");
  await explorer.close();
});

test("a deployment takes over in two tabs without a reload", async (t) => {
  const context = await browser.newContext();
  t.after(() => context.close());
  const tabs = [await context.newPage(), await context.newPage()];
  const [first, second] = tabs;
  const names = () =>
    Promise.all(tabs.map((tab) =>
      tab.evaluate(async () => {
        const headers = { authorization: "Bearer demo-curator" };
        const response = await fetch("plants?limit=1", { headers });
        return (await response.json())[0].name as string;
      })
    ));
  for (const tab of tabs) await tab.goto(url);
  const [old, other] = await names();
  assertEquals(other, old);

  const file = join(folder, "worker.js");
  const code = await readFile(file, "utf8");
  assert(code.includes(old!));
  await writeFile(file, code.replaceAll(old!, "Planta nova"));
  await second!.evaluate(() => {
    const { serviceWorker } = navigator;
    serviceWorker.addEventListener("controllerchange", () => {
      document.title = "replaced";
    });
  });
  await first!.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration())?.update();
  });
  await second!.waitForFunction(() => document.title === "replaced");
  assertEquals(await names(), ["Planta nova", "Planta nova"]);
});

for (
  const [reason, script] of [
    ["has no service workers", () => {
      Reflect.deleteProperty(Navigator.prototype, "serviceWorker");
    }],
    ["blocks them", () => {
      ServiceWorkerContainer.prototype.register = () => Promise.reject();
    }],
    ["never starts them", () => {
      ServiceWorkerContainer.prototype.register = () => new Promise(() => {});
    }],
  ] as const
) {
  test(`the API runs in the page if the browser ${reason}`, async (t) => {
    const context = await browser.newContext();
    t.after(() => context.close());
    await context.addInitScript(script);
    const page = await context.newPage();
    sent.clear();
    await page.goto(url);
    await page.locator("#demo [value=demo-florist]").click();
    await page.locator("#result", { hasText: "200 OK" }).waitFor();
    await page.locator("[value=unknown]").click();
    await page.locator("#result", { hasText: "404 Not Found" }).waitFor();
    await page.locator("#demo [value=demo-slow]").click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.locator("#result", { hasText: "Canceled" }).waitFor();
    assert(await page.locator("#live").isVisible());
    assertEquals([...sent.keys()], ["", "live.js", "api.js"]);
    const echo = await page.evaluate(async () => {
      const request = new Request("/other", { method: "POST", body: "text" });
      return await (await fetch(request)).text();
    });
    assertEquals(echo, "text");
  });
}
