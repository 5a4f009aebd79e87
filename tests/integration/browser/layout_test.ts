import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { open, type Tab } from "./browser.ts";

/** Sizes in CSS pixels; the third one is 1280 x 800 at a zoom of 200%. */
const VIEWPORTS = [[1280, 800], [375, 667], [640, 400], [820, 1100]] as const;

/** Returns how far an element extends above or below the viewport, in pixels. */
async function hiddenPixels({ page }: Tab, selector: string): Promise<number> {
  // In one step, because a response replaces the element.
  return await page.evaluate((selector) => {
    const element = document.querySelector(selector)!;
    const { top, bottom } = element.getBoundingClientRect();
    return Math.max(0, -top, bottom - innerHeight);
  }, selector);
}

for (const [width, height] of VIEWPORTS) {
  test(`the result is in view, and nothing moves: ${width} x ${height}`, async (t) => {
    const { tab, page } = await open(t, { viewport: { width, height } });
    const boxes = () =>
      page.locator("#send, #demo, #result .status, fieldset")
        .evaluateAll((elements) =>
          elements.map((element) => {
            const { x, y, height } = element.getBoundingClientRect();
            return [x, y + scrollY, height];
          })
        );
    const first = await boxes();
    for (
      const [name, status] of [
        ["Send", "200 OK"],
        ["Unknown token 401", "401 Unauthorized"],
        ["demo-florist", "200 OK"],
      ] as const
    ) {
      await page.evaluate(() => scrollTo(0, 0));
      await tab.button(name).focus();
      await page.keyboard.press("Enter");
      await tab.see("#result .status", status);
      assertEquals(await hiddenPixels(tab, "#result .status"), 0, name);
    }
    // The first plant; on a wide screen, everything.
    assertEquals(await hiddenPixels(tab, "#body bdi:nth-of-type(2)"), 0);
    for (const id of width < 1280 ? [] : ["#key-headers", "#request-headers"]) {
      assertEquals(await hiddenPixels(tab, id), 0, id);
    }
    assertEquals(await boxes(), first);
    const release = await tab.hold();
    await tab.press("Send");
    await tab.see("#result .status", "Waiting…");
    assertEquals(await boxes(), first);
    release();
    await tab.see("#result .status", "200 OK");

    // Nothing scrolls sideways, except for the rows of choices on a narrow screen.
    const scrolling = await page.evaluate(() =>
      [...document.querySelectorAll("main *")]
        .filter((element) => element.scrollWidth > element.clientWidth + 1)
        .filter((element) => !element.closest("form"))
        .filter((element) => getComputedStyle(element).display !== "inline")
        .map((element) => element.outerHTML)
    );
    assertEquals(scrolling, []);
    const targets = "a, button, select, summary, fieldset label";
    const heights = await page.locator(targets).evaluateAll((elements) =>
      elements.map((element) => element.getBoundingClientRect().height)
    );
    assertEquals(heights.filter((height) => height > 0 && height < 24), []);
    await tab.check("result", [320, 560, width]);
    await tab.close();
  });
}
