import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";

/**
 * Presses Tab until each control of a page had the focus, and activates each one
 * that does not lead to another page. Fails if a control has no focus ring, or if
 * no control has the focus afterwards. At the end, checks the rings again in dark
 * colors, except those of controls that are hidden by then.
 */
export async function walk(page: Page): Promise<void> {
  const failures: string[] = [];
  let count = 0;
  for (let repeated = 0; repeated <= count;) {
    await page.keyboard.press("Tab");
    // In one step, because there are a thousand controls.
    const control: ReturnType<typeof visit> = await page.evaluate(
      `(${visit})(${listWithoutRing})`,
    );
    const { name, keys, isNew, isEnd, isEditor, hasRing } = control;
    if (isEnd) break;
    if (!isNew) repeated++;
    else {
      repeated = 0;
      count++;
      if (!hasRing) failures.push(`${name}: no focus ring`);
      for (const key of keys) await page.keyboard.press(key);
      if (name === "Search") {
        await page.locator(".VPLocalSearchBox input:focus").waitFor();
        await page.keyboard.press("Escape");
        await page.locator(".VPLocalSearchBox").waitFor({ state: "detached" });
      }
      const problem = keys.length > 0 && await page.evaluate(returnFocus);
      if (problem) failures.push(`${name}: ${problem}`);
    }
    // In an editor, Tab adds an indentation, unless Escape precedes it.
    if (isEditor) await page.keyboard.press("Escape");
  }
  await page.emulateMedia({ colorScheme: "dark" });
  await page.evaluate(() => new Promise(requestAnimationFrame)); // the site changes its colors before the next frame
  const names = await page.evaluate(listWithoutRing, "[data-visited]");
  await page.emulateMedia({ colorScheme: "light" });
  failures.push(
    ...names.map((name) => `${name}: no focus ring in dark colors`),
  );
  assertEquals(failures, [], page.url());
  assert(count > 5, `${page.url()}: ${count} controls`);
}

/** Describes the control with the focus, and how to activate it. */
function visit(listWithoutRing: (selector: string) => string[]) {
  const control = document.activeElement as HTMLInputElement;
  const isFirst = !document.querySelector("[data-visited]");
  const { visited } = control.dataset;
  const isEnd = visited === "first" || control === document.body;
  const isNew = visited === undefined && !isEnd;
  if (isNew) control.dataset["visited"] = isFirst ? "first" : "later";
  Object.assign(globalThis, { control });
  const { pathname } = control instanceof HTMLAnchorElement
    ? control
    : location;
  const keys = pathname !== location.pathname
    ? []
    : control.matches("select")
    ? ["ArrowDown", "ArrowUp"]
    : control.matches("[role=switch]")
    ? ["Enter", "Enter"]
    : control.matches("[type=radio], [type=checkbox]")
    ? ["Space"]
    : ["Enter"];
  const name = control.ariaLabel ?? control.labels?.[0]?.textContent ??
    control.textContent;
  const hasRing = !isNew || listWithoutRing(":focus").length === 0;
  const isEditor = control.matches(".cm-content");
  return { name: `${name}`.trim(), keys, isNew, isEnd, isEditor, hasRing };
}

/** Returns the visible controls without a focus ring. The last one has the focus afterwards. */
function listWithoutRing(selector: string): string[] {
  const controls = document.querySelectorAll<HTMLElement>(selector);
  if (controls.length === 0) return [selector];
  return [...controls].filter((control) => {
    const [plain, ring] = (["blur", "focus"] as const).map((method) => {
      control[method]();
      // The ring of an editor is around its line numbers, too.
      const element = control.closest(".cm-editor") ?? control;
      const { outline, outlineStyle, boxShadow } = getComputedStyle(element);
      return `${outlineStyle === "none" ? "" : outline} ${boxShadow}`;
    });
    return control.checkVisibility() && ring === plain;
  }).map(({ outerHTML }) => outerHTML);
}

/** Waits for responses, and focuses the control again. Returns what is wrong. */
async function returnFocus(): Promise<string> {
  const busy = "[aria-busy=true], [aria-disabled=true]";
  for (let frames = 3_600; document.querySelector(busy); frames--) {
    if (frames === 0) return "stays busy";
    await new Promise(requestAnimationFrame);
  }
  const { activeElement: focused } = document;
  const { control } = globalThis as unknown as { control: HTMLElement };
  control.focus();
  return focused === document.body || !focused!.checkVisibility() ||
      focused!.matches(":disabled")
    ? "loses the focus"
    : "";
}
