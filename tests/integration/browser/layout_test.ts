import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import type { Explorer } from "./browser.ts";
import { open } from "./sample.ts";

// What is in view after a request, and that nothing moves.

/** Sizes in CSS pixels; the last two are 1280 x 800 at a zoom of 200% and 250%. */
const VIEWPORTS = [
  { width: 375, height: 667 },
  { width: 1280, height: 800 },
  { width: 640, height: 400 },
  { width: 512, height: 320 },
] as const;

/** Returns how far an element extends above or below the viewport, in pixels. */
async function hiddenPixels({ explorer }: Explorer, selector: string) {
  const { y, height } = (await page.locator(selector).first().boundingBox())!;
  return Math.max(0, -y, y + height - page.viewportSize()!.height);
}

for (const viewport of VIEWPORTS) {
  const size = `${viewport.width} x ${viewport.height}`;

  test(`the status is in view after Send: ${size}`, async (t) => {
    const { explorer, page } = await open(t, { viewport });
    for (
      const [name, status] of [
        ["Send", "200 OK"],
        ["Unknown token 401", "401 Unauthorized"],
        ["DELETE 405", "405 Method Not Allowed"],
        ["demo-visitor", "200 OK"],
      ] as const
    ) {
      await page.evaluate(() => scrollTo(0, 0));
      const button = explorer.button(name);
      await button.focus();
      await page.keyboard.press("Enter");
      await explorer.see("#result .status", status);
      assertEquals(await hiddenPixels(explorer, "#result .status"), 0, name);
      assert(
        await button.evaluate((button) => button === document.activeElement),
        `${name} keeps the focus`,
      );
    }
    assertEquals(
      await page.locator("#result").getAttribute("role"),
      "status",
    );
    await explorer.check(size);
    await explorer.close();
  });

  test(`nothing moves while a response arrives: ${size}`, async (t) => {
    const { explorer, page } = await open(t, { viewport });
    await page.evaluate(() => {
      const shifts: unknown[] = [];
      Object.assign(globalThis, { shifts });
      new PerformanceObserver((list) => shifts.push(...list.getEntries()))
        .observe({ type: "layout-shift" });
    });
    const boxes = () =>
      page.locator("#send, #demo, #result .status, fieldset")
        .evaluateAll((elements) =>
          elements.map((element) => {
            const { x, y, height } = element.getBoundingClientRect();
            return [x, y + scrollY, height];
          })
        );
    const first = await boxes();
    assertEquals(first.length, 4);
    for (const attempt of ["first", "second"]) {
      const release = await explorer.hold();
      await explorer.press("demo-curator");
      await explorer.see("#result .status", "Waiting…");
      assertEquals(await boxes(), first, attempt);
      release();
      await explorer.see("#result .status", "200 OK");
      assertEquals(await boxes(), first, attempt);
    }
    const shifts = await page.evaluate(() => Reflect.get(globalThis, "shifts"));
    assertEquals(shifts, []);
    await explorer.close();
  });
}

test("status, body, and the most important headers are in view together", async (t) => {
  const { explorer, page } = await open(t, { viewport: VIEWPORTS[1] });
  for (const [limit, count] of [["5", 7], ["", 100]] as const) {
    await explorer.field("Limit").fill(limit);
    await explorer.send("200 OK");
    assertEquals(await page.evaluate(() => scrollY), 0);
    assert((await explorer.text("#body")).split("\n").length >= count);
    for (
      const selector of [
        "#result .status",
        "#body",
        "#key-headers",
        "#request-headers",
      ]
    ) {
      assertEquals(await hiddenPixels(explorer, selector), 0, selector);
    }
  }
  assertEquals(
    await page.locator("#key-headers th").allInnerTexts(),
    ["ETag", "Cache-Control", "Vary"],
  );
  await explorer.close();
});

test("labels stay in view while the buttons scroll", async (t) => {
  const { explorer, page } = await open(t, { viewport: VIEWPORTS[0] });
  for (
    const [label, button] of [
      ["#demo span", "demo-unavailable"],
      ["#errors span", "DELETE 405"],
    ] as const
  ) {
    await explorer.button(button).focus();
    const { x } = (await page.locator(label).boundingBox())!;
    assert(x >= 0, `${label}: ${x}`);
  }
  await explorer.close();
});

test("the page fits in every width", async (t) => {
  const { explorer, page } = await open(t);
  await explorer.send(/^401 /, "Unknown token 401");
  for (const width of [360, 560, 820, 1000, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await explorer.check(`${width} pixels`);
    // Nothing scrolls sideways, except for the rows of choices on a narrow screen.
    const scrolling = await page.evaluate(() =>
      [...document.querySelectorAll("main *")]
        .filter((element) => element.scrollWidth > element.clientWidth + 1)
        .filter((element) => !element.closest("form"))
        .filter((element) => getComputedStyle(element).display !== "inline")
        .map((element) => element.outerHTML)
    );
    assertEquals(scrolling, [], `${width} pixels`);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll(
        "a, button, select, summary, fieldset label",
      )]
        .map((element) =>
          [element.textContent, element.getBoundingClientRect().height] as const
        )
        .filter(([, height]) => height > 0 && height < 24)
    );
    assertEquals(small, [], `${width} pixels`);
  }
  await explorer.close();
});
