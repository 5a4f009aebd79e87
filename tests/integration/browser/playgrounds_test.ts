import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { test } from "node:test";
import { assertMatch, assertStringIncludes } from "@std/assert";
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
  const authorize = page.locator(".auth-wrapper .authorize");
  /** Sends a request and returns the shown response. */
  async function send(limit: string, status: string): Promise<string> {
    await page.getByPlaceholder("limit").fill(limit);
    await page.getByRole("button", { name: "Execute" }).click();
    await shown.getByRole("cell", { name: status, exact: true }).waitFor();
    return await shown.innerText();
  }

  await page.locator(".opblock-summary-control").click();
  await page.getByRole("button", { name: "Execute" }).click();
  const first = await shown.innerText();
  assertMatch(first, /^200\b[^]*Monstera[^]*Phalaenopsis/);
  assertMatch(first, /etag/);
  assertStringIncludes(await send("01", "400"), 'got \\"01\\"');

  await authorize.first().click();
  const dialog = page.locator(".dialog-ux");
  assertMatch(await dialog.innerText(), TOKEN);
  await dialog.getByRole("button", { name: "Remove authorization" }).click();
  await dialog.getByRole("button", { name: "Close" }).click();
  assertStringIncludes(await send("3", "401"), "Missing bearer token");
});

test("RapiDoc sends requests to the service", async (t) => {
  const page = await open(t, "rapi-doc");
  /** Sends a request, waits for its status, and returns the shown body. */
  async function send(status: string): Promise<string> {
    await page.locator("#link-get-\\/plants").click();
    await page.getByRole("button", { name: "TRY" }).click();
    await page.locator(".response-message").getByText(status).waitFor();
    return await page.locator("pre").first().innerText();
  }

  assertMatch(await send("200"), /Monstera[^]*Phalaenopsis/);
  await page.locator("#input-request-param-limit").fill("01");
  assertStringIncludes(await send("400"), 'got \\"01\\"');

  await page.locator("#link-auth").click();
  const remove = page.getByRole("button", { name: "Remove" });
  const authentication = page.locator("#auth");
  assertMatch(await authentication.innerText(), TOKEN);
  await remove.click();
  assertStringIncludes(await send("401"), "Missing bearer token");
});
