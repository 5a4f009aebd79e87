import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { after, before, test, type TestContext } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Browser } from "playwright-core";
import { startServer } from "../../support/command.ts";
import { openBrowser } from "./browser.ts";

// Documentation tools on another origin than the service, as docs/playgrounds.md
// describes them.

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const { resolve } = createRequire(import.meta.url);
const FILES: Readonly<Record<string, string>> = {
  "/swagger-ui.css": resolve("swagger-ui-dist/swagger-ui.css"),
  "/swagger-ui-bundle.js": resolve("swagger-ui-dist/swagger-ui-bundle.js"),
  "/scalar.js": resolve("@scalar/api-reference")
    .replace(/dist\/.*$/, "dist/browser/standalone.js"),
};

/** Serves a page of a documentation site. */
async function serveDocs(t: TestContext, body: string): Promise<string> {
  const server = createServer((request, response) => {
    const file = FILES[request.url!];
    if (file !== undefined) {
      const type = file.endsWith(".css") ? "text/css" : "text/javascript";
      response.setHeader("Content-Type", type);
      createReadStream(file).pipe(response);
      return;
    }
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(`<!DOCTYPE html><title>Docs</title>${body}`);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/`;
}

/** Opens a page, which must make no request to a third origin. */
async function open(t: TestContext, url: string, service: string) {
  const context = await browser.newContext();
  t.after(() => context.close());
  const origins = [url, service].map((each) => new URL(each).origin);
  await context.route("**", async (route) => {
    const { origin, protocol } = new URL(route.request().url());
    const isKnown = origins.includes(origin) ||
      /^(?:data|blob):/.test(protocol);
    await (isKnown ? route.continue() : route.abort());
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  return page;
}

test("Swagger UI sends requests to the service", async (t) => {
  const service = await startServer(t);
  const url = await serveDocs(
    t,
    `<link rel="stylesheet" href="swagger-ui.css">
<div id="ui"></div>
<script src="swagger-ui-bundle.js"></script>
<script>
const ui = SwaggerUIBundle({
  url: ${JSON.stringify(`${service.url}openapi.json`)},
  dom_id: "#ui",
  tryItOutEnabled: true,
  onComplete: () => ui.preauthorizeApiKey("bearerAuth", "demo-florist"),
});
</script>`,
  );
  const page = await open(t, url, service.url);
  await page.locator(".opblock-summary-control").click();
  const response = page.waitForResponse((response) =>
    response.url().startsWith(`${service.url}plants`) &&
    response.request().method() === "GET"
  );
  await page.getByRole("button", { name: "Execute" }).click();
  assertEquals((await response).status(), 200);
  const shown = page.locator(".live-responses-table .response").first();
  assertStringIncludes(await shown.innerText(), "200");
});

test("Scalar sends requests to the service", async (t) => {
  const service = await startServer(t);
  const options = {
    url: `${service.url}openapi.json`,
    authentication: {
      preferredSecurityScheme: "bearerAuth",
      securitySchemes: { bearerAuth: { token: "demo-florist" } },
    },
    proxyUrl: "",
    withDefaultFonts: false,
    telemetry: false,
  };
  const url = await serveDocs(
    t,
    `<div id="ui"></div>
<script src="scalar.js"></script>
<script>Scalar.createApiReference("#ui", ${JSON.stringify(options)});</script>`,
  );
  const page = await open(t, url, service.url);
  await page.getByRole("button", { name: /Test Request/i }).first().click();
  const response = page.waitForResponse((response) =>
    response.url().startsWith(`${service.url}plants`) &&
    response.request().method() === "GET"
  );
  await page.getByRole("button", { name: /^Send/ }).first().click();
  assertEquals((await response).status(), 200);
});
