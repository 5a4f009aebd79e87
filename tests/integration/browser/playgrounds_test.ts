import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { test } from "node:test";
import { assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { startServer } from "../../support/command.ts";
import { readDocument } from "../../support/markdown.ts";
import { listen } from "../../support/port.ts";
import { browser } from "./browser.ts";

// The documentation tools in docs/playgrounds.md, on another origin than the service.

const { resolve } = createRequire(import.meta.url);

const { blocks } = readDocument("docs/playgrounds.md");

/** The files of the tools, by the names that the document uses. */
const FILES: Readonly<Record<string, string>> = {
  "swagger-ui.css": "swagger-ui-dist/swagger-ui.css",
  "swagger-ui-bundle.js": "swagger-ui-dist/swagger-ui-bundle.js",
  "rapidoc-min.js": "rapidoc/dist/rapidoc-min.js",
};

/** Opens the page in the document that contains `word`. */
async function open(
  t: { after(fn: () => unknown): void },
  word: string,
): Promise<Page> {
  const service = await startServer(t);
  const html = blocks.find(({ text }) => text.includes(word))!.text
    .replace("https://plants.example/", service.url);
  const docs = createServer(({ url = "" }, response) => {
    const file = FILES[url.slice(1)];
    const type = file?.endsWith(".css") ? "css" : file ? "javascript" : "html";
    response.setHeader("Content-Type", `text/${type}; charset=utf-8`);
    if (file) createReadStream(resolve(file)).pipe(response);
    else response.end(`<!DOCTYPE html><title>Docs</title>${html}`);
  });
  const port = await listen(t, docs);
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`http://127.0.0.1:${port}/`);
  return page;
}

/** What tools show next to the field for the token. */
const TOKEN = /The token only, without Bearer.*demo-florist/;

test("Swagger UI sends requests to the service", async (t) => {
  const page = await open(t, "SwaggerUIBundle");
  const shown = page.locator(".live-responses-table .response").first();
  const press = (name: string) => page.getByRole("button", { name }).click();
  await page.locator(".opblock-summary-control").click();
  await press("Execute");
  assertMatch(await shown.innerText(), /^200\b[^]*Monstera[^]*etag/);
  await page.locator(".auth-wrapper .authorize").first().click();
  assertMatch(await page.locator(".dialog-ux").innerText(), TOKEN);
  await press("Remove authorization");
  await press("Close");
  await press("Execute");
  await shown.getByRole("cell", { name: "401", exact: true }).waitFor();
  assertMatch(await shown.innerText(), /Missing bearer token/);
});

test("RapiDoc sends requests to the service", async (t) => {
  const page = await open(t, "rapi-doc");
  for (const [status, body] of [["200", /Monstera/], ["401", /Missing/]]) {
    await page.locator("#link-get-\\/plants").click();
    await page.getByRole("button", { name: "TRY" }).click();
    await page.locator(".response-message").getByText(`${status}`).waitFor();
    assertMatch(await page.locator("pre").first().innerText(), body as RegExp);
    await page.locator("#link-auth").click();
    if (status === "401") continue;
    assertMatch(await page.locator("#auth").innerText(), TOKEN);
    await page.getByRole("button", { name: "Remove" }).click();
  }
});
