import { copyFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { assertMatch } from "@std/assert";
import { runProgram } from "../../../tools/start_program.ts";
import { startServer } from "../../../tools/start_cli.ts";
import { readDocument } from "../../../tools/markdown.ts";
import { makeFolder } from "../../support/files.ts";
import { startHost } from "../site/host.ts";
import { browser } from "./browser.ts";

// The documentation tools in docs/playgrounds.md, with a service worker, and with a
// server of another origin.

const { resolve } = createRequire(import.meta.url);

const { blocks } = readDocument("docs/playgrounds.md");

/** The files of the tools. */
const FILES = [
  "swagger-ui-dist/swagger-ui.css",
  "swagger-ui-dist/swagger-ui-bundle.js",
];

/** The package of Scalar, whose hundreds of dependencies its file contains. */
const SCALAR = "@scalar/api-reference@1.46.4";

/** What each tool needs: a link, a button, and the element with the status of the response. */
const TOOLS = {
  SwaggerUIBundle: [
    ".opblock-summary-control",
    "Execute",
    ".live-responses-table .response-col_status",
  ],
  "Scalar": [".show-api-client-button", "Send get request", "text=200 OK"],
} as const;

/** Saves the file of Scalar in a folder. */
async function downloadScalar(folder: string): Promise<void> {
  const cwd = { cwd: folder };
  const { stdout } = await runProgram("npm", ["pack", "--silent", SCALAR], cwd);
  const path = "package/dist/browser/standalone.js";
  const args = ["-xzf", stdout.trim(), "--strip-components=3", path];
  await runProgram("tar", args, cwd);
}

const folder = await makeFolder({ after });
const builder = "examples/service_worker/build.ts";
await runProgram(process.execPath, ["--import", "tsx", builder, folder]);
for (const file of FILES) {
  await copyFile(resolve(file), join(folder, basename(file)));
}
await downloadScalar(folder);
const { url } = await startHost({ after }, folder, "/");

test("a page of a listed origin can send credentials and its own headers", async (t) => {
  const docs = await startHost(t, "docs/public", "/");
  const { origin } = new URL(docs.url);
  const { url } = await startServer(t, ["--cors", origin]);
  const page = await browser.newPage();
  await page.goto(`${docs.url}icon.png`);
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
  const { text } = blocks.find(({ text }) => text.includes(tool))!;
  /** Saves a page with the tool, opens it, and sends a request. */
  const send = async (html: string): Promise<void> => {
    await writeFile(join(folder, "tool.html"), html);
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${url}tool.html`);
    await page.locator(link).click();
    await page.getByRole("button", { name: button }).click();
    await page.locator(status, { hasText: "200" }).first().waitFor();
    await page.context().close();
  };
  test(`${tool} sends requests to the service worker`, () => send(text));
  test(`${tool} sends requests to a server`, async (t) => {
    const service = await startServer(t);
    const changed = text.replace('import "./live.js";\nawait apiReady;\n', "")
      .replace('"openapi.json"', `"${service.url}openapi.json"`);
    await send(changed);
  });
}
