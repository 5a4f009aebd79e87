import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { test } from "node:test";
import { assertMatch } from "@std/assert";
import { startServer } from "../../../tools/start_cli.ts";
import { readDocument } from "../../../tools/markdown.ts";
import { listen } from "../../../tools/port.ts";
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

/** What each tool needs: a link, a button, and the element with the status of the response. */
const TOOLS = {
  SwaggerUIBundle: [
    ".opblock-summary-control",
    "Execute",
    ".live-responses-table .response-col_status",
  ],
  "rapi-doc": ["#link-get-\\/plants", "TRY", ".response-message"],
} as const;

test("a page of a listed origin can send credentials and its own headers", async (t) => {
  const docs = createServer((_, response) => response.end());
  const origin = `http://127.0.0.1:${await listen(t, docs)}`;
  const { url } = await startServer(t, ["--cors", origin]);
  const page = await browser.newPage();
  await page.goto(origin);
  const etag = await page.evaluate(async (url) => {
    const headers = {
      authorization: "Bearer demo-florist",
      "x-client": "docs",
    };
    const response = await fetch(url, { credentials: "include", headers });
    return response.headers.get("etag");
  }, `${url}plants`);
  assertMatch(`${etag}`, /^"/);
});

for (const [tool, [link, button, status]] of Object.entries(TOOLS)) {
  test(`${tool} sends requests to the service`, async (t) => {
    const service = await startServer(t);
    const html = blocks.find(({ text }) => text.includes(tool))!.text
      .replace('import "./live.js";\nawait apiReady;\n', "")
      .replace('"openapi.json"', `"${service.url}openapi.json"`)
      .replace("https://plants.example/", service.url);
    const docs = createServer(({ url = "" }, response) => {
      const file = FILES[url.slice(1)];
      const type = file?.endsWith(".css")
        ? "css"
        : file
        ? "javascript"
        : "html";
      response.setHeader("Content-Type", `text/${type}; charset=utf-8`);
      if (file) createReadStream(resolve(file)).pipe(response);
      else response.end(`<!DOCTYPE html><title>Docs</title>${html}`);
    });
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`http://127.0.0.1:${await listen(t, docs)}/`);
    await page.locator(link).click();
    await page.getByRole("button", { name: button }).click();
    await page.locator(status, { hasText: "200" }).first().waitFor();
  });
}
