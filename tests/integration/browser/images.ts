import { test } from "node:test";
import { runProgram } from "../../../tools/start_program.ts";
import { open } from "./browser.ts";

// Takes the screenshots of the documents and the site, with the fonts and the pngquant
// of this machine: npm run images

for (
  const [colorScheme, width, height] of [
    ["light", 1280, 800],
    ["dark", 390, 844],
  ] as const
) {
  test(`images: the API explorer in ${colorScheme} colors`, async (t) => {
    const viewport = { width, height };
    const { tab, page } = await open(t, { colorScheme, viewport });
    await tab.send(/^200 OK/, "demo-florist");
    await page.mouse.move(0, 0);
    const path = `docs/images/page-${colorScheme}.png`;
    await page.screenshot({ path });
    await runProgram("pngquant", ["--force", "--output", path, path]);
    await tab.close();
  });
}
