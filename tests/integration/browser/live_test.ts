import { copyFile, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { makeFolder } from "../../support/files.ts";
import { readDocument } from "../../../tools/markdown.ts";
import { runProgram } from "../../../tools/start_program.ts";
import { startHost } from "../site/host.ts";
import { browser, Tab } from "./browser.ts";

// Opens examples/service_worker on a static host, below a path.

const folder = await makeFolder({ after });
const builder = "examples/service_worker/build.ts";
await runProgram(process.execPath, [
  ...["--import", "tsx", builder, folder],
  "Guide=../?page=1",
]);
const { url, paths } = await startHost({ after }, folder, "/docs/plants/");

/** Waits until the worker responds. */
async function untilLive({ page }: Tab): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  assert(await page.locator("#live").isVisible());
}

test("a service worker responds below a path, and after a stop and a hard reload", async () => {
  const tab = await Tab.open(url);
  await untilLive(tab);
  const { page } = tab;
  await tab.see("#result", "200 OK");
  assert(await page.locator("#snippet").isHidden());
  const guide = page.getByRole("link", { name: "Guide" });
  assertEquals(await guide.getAttribute("href"), "../?page=1");
  await tab.field("Send If-None-Match").check();
  await tab.send(/^304 Not Modified/);
  await tab.send(/^401 /, "Unknown token 401");
  for (const expected of [/^503/, /^503/, /^200/]) {
    await tab.send(expected, "demo-flaky");
  }
  const { servers } = await page.evaluate(async () =>
    await (await fetch("openapi.json")).json()
  );
  assertEquals(servers, [{ url: url.slice(0, -1) }]);
  for (const name of ["plants", "openapi.json"]) assert(!paths.has(name), name);

  const session = await page.context().newCDPSession(page);
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.stopAllWorkers");
  await tab.send(/^304/, "demo-curator");
  await session.send("Page.enable");
  const loaded = page.waitForEvent("load");
  await session.send("Page.reload", { ignoreCache: true });
  await loaded;
  await untilLive(tab);
  await tab.see("#result", "200 OK");
  await tab.close();
});

test("a deployment takes over in an open tab without a reload", async () => {
  const tab = await Tab.open(url);
  await tab.see("#result", "200 OK");
  const file = join(folder, "worker.js");
  const code = await readFile(file, "utf8");
  await writeFile(file, code.replaceAll("Monstera", "Planta"));
  await tab.page.evaluate(async () => {
    const { serviceWorker } = navigator;
    const replaced = new Promise((resolve) =>
      serviceWorker.addEventListener("controllerchange", resolve)
    );
    await (await serviceWorker.getRegistration())!.update();
    await replaced;
  });
  await tab.send(/^200 OK/);
  await tab.see("#body", "Planta deliciosa");
  await tab.close();
});

for (
  const [reason, script] of [
    ["has no service workers", () => {
      Reflect.deleteProperty(Navigator.prototype, "serviceWorker");
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
    paths.clear();
    await page.goto(url);
    await page.locator("#result", { hasText: "200 OK" }).waitFor();
    await page.locator("[value=unknown]").click();
    await page.locator("#result", { hasText: "404 Not Found" }).waitFor();
    await page.locator("#demo [value=demo-slow]").click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.locator("#result", { hasText: "Canceled" }).waitFor();
    assertEquals([...paths], ["", "live.js", "api.js"]);
  });
}

test("Swagger UI in the folder sends requests, on the first visit and later", async (t) => {
  const { blocks } = readDocument("docs/playgrounds.md");
  const { text } = blocks.find(({ text }) => text.includes("live.js"))!;
  await writeFile(join(folder, "swagger.html"), text);
  await writeFile(join(folder, "spec.json"), '"my own file"');
  const { resolve } = createRequire(import.meta.url);
  for (const name of ["swagger-ui.css", "swagger-ui-bundle.js"]) {
    await copyFile(resolve(`swagger-ui-dist/${name}`), join(folder, name));
  }
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  for (const visit of ["first", "later"]) {
    paths.clear();
    await page.goto(`${url}swagger.html?${visit}`);
    await page.locator(".opblock-summary-control").click();
    const isStyled = await page.evaluate(() =>
      document.styleSheets[0]!.cssRules.length > 0
    );
    assert(isStyled);
    await page.getByRole("button", { name: "Execute" }).click();
    await page.locator(".live-responses-table", { hasText: "200" }).waitFor();
    const own = await page.evaluate(async () =>
      await (await fetch("spec.json")).json()
    );
    assertEquals(own, "my own file");
    for (const name of ["plants", "openapi.json"]) assert(!paths.has(name));
  }
});
