import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { test } from "node:test";
import { assertMatch } from "@std/assert";
import { startServer } from "../../support/command.ts";
import { listen } from "../../support/port.ts";
import { openBrowser } from "./browser.ts";

// A documentation tool on another origin than the service, as docs/playgrounds.md
// describes it.

const { resolve } = createRequire(import.meta.url);

test("Swagger UI sends requests to the service", async (t) => {
  const service = await startServer(t);
  const html = `<!DOCTYPE html><title>Docs</title>
<link rel="stylesheet" href="swagger-ui.css">
<div id="ui"></div>
<script src="swagger-ui-bundle.js"></script>
<script>
const ui = SwaggerUIBundle({
  url: "${service.url}openapi.json",
  dom_id: "#ui",
  tryItOutEnabled: true,
  onComplete: () => ui.preauthorizeApiKey("bearerAuth", "demo-florist"),
});
</script>`;
  const docs = createServer(({ url }, response) => {
    if (url!.startsWith("/swagger-ui")) {
      const type = url!.endsWith(".css") ? "text/css" : "text/javascript";
      response.setHeader("Content-Type", type);
      createReadStream(resolve(`swagger-ui-dist${url}`)).pipe(response);
    } else {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.end(html);
    }
  });
  const port = await listen(t, docs);

  const browser = await openBrowser();
  t.after(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.locator(".opblock-summary-control").click();
  await page.getByRole("button", { name: "Execute" }).click();
  const shown = page.locator(".live-responses-table .response").first();
  assertMatch(await shown.innerText(), /^200\b[^]*Monstera/);
});
