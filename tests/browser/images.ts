import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { test } from "node:test";
import { promisify } from "node:util";
import { startServer } from "../cli/command.ts";
import { openBrowser, outcome, visit } from "./browser.ts";

// Takes the pictures of the README, with the fonts of the machine it runs on and
// its pngquant: npm run images

const exec = promisify(execFile);

test("the pictures of the README", async (t) => {
  const server = await startServer(t);
  const browser = await openBrowser();
  t.after(() => browser.close());
  await mkdir("docs/images", { recursive: true });
  for (
    const { name, colorScheme, width, height, limit } of [
      {
        name: "page-light",
        colorScheme: "light",
        width: 1280,
        height: 1180,
        limit: "8",
      },
      {
        name: "page-dark",
        colorScheme: "dark",
        width: 360,
        height: 1180,
        limit: "3",
      },
    ] as const
  ) {
    const { page, end } = await visit(browser, `${server.url}?limit=${limit}`, {
      colorScheme,
      viewport: { width, height },
    });
    await page.getByRole("button", { name: "demo-florist" }).click();
    await page.getByRole("button", { name: "Send" }).click();
    await outcome(page, "200 OK");
    await page.mouse.move(0, 0);
    const path = `docs/images/${name}.png`;
    await page.screenshot({ path });
    await exec("pngquant", ["--force", "--output", path, path]);
    await end();
  }
});
