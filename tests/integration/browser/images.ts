import { test } from "node:test";
import { startServer } from "../../support/command.ts";
import { runProgram } from "../../support/program.ts";
import { Explorer, openBrowser } from "./browser.ts";

// Takes the pictures of the documents, with the fonts and the pngquant of this
// machine: npm run images

const PICTURES = [
  {
    name: "page-light",
    colorScheme: "light",
    width: 1280,
    height: 800,
    limit: 5,
  },
  { name: "page-dark", colorScheme: "dark", width: 390, height: 844, limit: 5 },
] as const;

test("images: the pictures of the documents", async (t) => {
  const server = await startServer(t);
  const browser = await openBrowser();
  t.after(() => browser.close());
  for (const { name, colorScheme, width, height, limit } of PICTURES) {
    const url = `${server.url}?limit=${limit}`;
    const viewport = { width, height };
    const explorer = await Explorer.open(browser, url, {
      colorScheme,
      viewport,
    });
    await explorer.send("200 OK", "demo-florist");
    await explorer.page.mouse.move(0, 0);
    const path = `docs/images/${name}.png`;
    await explorer.page.screenshot({ path });
    await runProgram("pngquant", ["--force", "--output", path, path]);
    await explorer.close();
  }
});
