import { test } from "node:test";
import { runProgram } from "../../../tools/start_program.ts";
import { browser, open } from "./browser.ts";

// Takes the pictures of the documents and the site, with the fonts and the pngquant
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

/** The icon for phones, and the image that other sites show for links. */
for (
  const [name, width, height, size, text] of [
    ["icon", 180, 180, 100, ""],
    ["social", 1200, 630, 160, "<h1>Plant Store</h1>A small HTTP API"],
  ] as const
) {
  test(`images: ${name}.png`, async () => {
    const page = await browser.newPage({ viewport: { width, height } });
    await page.setContent(`<body style="display: grid; place-content: center;
      justify-items: center; height: 100vh; margin: 0; background: #f5f4ec;
      color: #1c2921; font: 40px system-ui"><svg viewBox="1 1 14 14"
      width="${size}"><path fill="#23653f"
      d="M2 14C1 6 6 2 14 2c0 8-4 12-10 10l4-5-6 7z"/></svg><style>h1 { margin:
      20px 0; font: 600 96px Georgia, P052, serif }</style>${text}`);
    const path = `docs/public/${name}.png`;
    await page.screenshot({ path });
    await runProgram("pngquant", ["--force", "--output", path, path]);
    await page.close();
  });
}
