import { cp } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { assertEquals } from "@std/assert";
import { CONTENT } from "../../../examples/testing/plants.ts";
import { routePlants } from "../../../examples/testing/playwright.ts";
import { startProgramFor } from "../../../tools/start_program.ts";
import { createProject, linkPackages } from "../../support/project.ts";
import { browser } from "./browser.ts";

// Opens the API explorer of the packed package in servers that contain it.

const { folder: cwd } = await createProject({ after });
await linkPackages(cwd);
for (const file of ["next_route.ts", "vite.config.ts"]) {
  await cp(`examples/${file}`, join(cwd, file));
}
await cp("tests/integration/browser/hosts.mjs", join(cwd, "hosts.mjs"));
const args = ["--import", import.meta.resolve("tsx"), "hosts.mjs"];
const { until } = startProgramFor({ after }, process.execPath, args, { cwd });
const [line] = await until("stdout", /^\{.*\}$/m);
const ports: Readonly<Record<string, number>> = JSON.parse(line);

for (const [host, port] of Object.entries(ports)) {
  for (const path of ["/api", "/api/"]) {
    test(`in ${host}, the explorer at ${path} sends the token only to the API`, async () => {
      const page = await browser.newPage();
      page.setDefaultTimeout(60_000);
      const sent: string[] = [];
      page.on("request", (request) => {
        if (request.headers()["authorization"]) sent.push(request.url());
      });
      const api = `http://127.0.0.1:${port}/api`;
      await page.goto(`http://127.0.0.1:${port}${path}`);
      await page.getByText("200 OK").first().waitFor();
      await page.getByRole("button", { name: "Unknown path" }).click();
      await page.getByText("Not found; try /api/plants").first().waitFor();
      assertEquals(sent, [`${api}/plants?limit=5`, `${api}/unknown?limit=5`]);
      await page.getByRole("link", { name: "OpenAPI" }).click();
      await page.waitForURL(`${api}/openapi.json`);
      await page.close();
    });
  }
}

test("the Playwright recipe responds to the requests of a page", async () => {
  const page = await browser.newPage();
  await routePlants(page);
  const list = (token: string) =>
    page.evaluate(async (token) => {
      const headers = { authorization: `Bearer ${token}` };
      const url = "https://plants.example/plants";
      const response = await fetch(url, { headers });
      return [response.status, await response.json()];
    }, token);
  assertEquals(await list("p3tal"), [200, [CONTENT.plants[0]]]);
  assertEquals((await list("unknown"))[0], 401);
  await page.close();
});
