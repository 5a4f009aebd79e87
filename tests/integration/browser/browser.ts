import { existsSync } from "node:fs";
import process from "node:process";
import { after } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import axe from "axe-core";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { createGate } from "../../support/gate.ts";

const executablePath = process.env["CHROMIUM"] || "/usr/bin/chromium";
if (!existsSync(executablePath)) {
  throw new Error(
    `${executablePath} does not exist: install Chromium (on Debian, apt-get install --no-install-recommends chromium), or set CHROMIUM`,
  );
}

/** Chromium, which runs until all tests of a file have ended. */
export const browser: Browser = await chromium.launch({ executablePath });
after(() => browser.close());

/** The size of the viewport on a wide screen. */
const WIDE = { width: 1280, height: 900 };

/** The API explorer in a tab. */
export class Explorer {
  readonly page: Page;
  readonly #errors: string[] = [];

  private constructor(page: Page, url: string) {
    this.page = page;
    page.setDefaultTimeout(60_000);
    const fetched = new Set<string>();
    const { origin } = new URL(url);
    page.on("request", (request) => {
      if (request.resourceType() === "fetch") fetched.add(request.url());
      if (new URL(request.url()).origin !== origin) {
        this.#errors.push(request.url());
      }
    });
    page.on("pageerror", (error) => this.#errors.push(`${error}`));
    page.on("console", (message) => {
      // Chromium logs each response to fetch() that has an error status.
      if (fetched.has(message.location().url)) return;
      if (/^(?:error|warning)$/.test(message.type())) {
        this.#errors.push(message.text());
      }
    });
  }

  static async open(
    url: string,
    options: BrowserContextOptions = {},
  ): Promise<Explorer> {
    const context = await browser.newContext({
      viewport: WIDE,
      permissions: ["clipboard-read", "clipboard-write"],
      ...options,
    });
    const explorer = new Explorer(await context.newPage(), url);
    await explorer.page.goto(url);
    return explorer;
  }

  /** Closes the tab; it must have had no other errors than these. */
  async close(...errors: readonly string[]): Promise<void> {
    await this.page.context().close();
    assertEquals(this.#errors, errors);
  }

  get cards(): Locator {
    return this.page.locator("#list li");
  }

  field(label: string): Locator {
    return this.page.getByLabel(label, { exact: true });
  }

  /** Returns a button; that of a demo token also says what the token sees or does. */
  button(name: string): Locator {
    if (name.startsWith("demo-")) {
      return this.page.locator(`#demo [value=${name}]`);
    }
    return this.page.getByRole("button", { name, exact: true });
  }

  async press(name: string): Promise<void> {
    await this.button(name).click();
  }

  /** Presses a button that copies a text, and returns the text. */
  async copy(name: string, output: string): Promise<string> {
    await this.press(name);
    await this.see(output, "Copied");
    return await this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Returns the visible text of an element. */
  async text(selector: string): Promise<string> {
    return await this.page.locator(selector).innerText();
  }

  /** Waits until an element contains a text or a match. */
  async see(selector: string, expected: string | RegExp): Promise<void> {
    await this.page.locator(selector, { hasText: expected }).waitFor();
  }

  /** Shows a part of the response. */
  async show(part: "body" | "headers" | "plants"): Promise<void> {
    await this.page.locator(`[name=part][value=${part}]`).check();
  }

  /** Holds requests for plants until the returned function is called. */
  async hold(): Promise<() => void> {
    const gate = createGate();
    await this.page.route("**/plants?*", async (route) => {
      await gate.opened;
      await route.continue().catch(() => {}); // the page has canceled the request
    });
    return gate.open;
  }

  /** Presses a button and waits for the result. */
  async send(expected: string | RegExp, name = "Send"): Promise<void> {
    const status = this.page.locator("#result .status:not([data-old])");
    await status.evaluate((element) => element.dataset["old"] = "");
    await this.press(name);
    await status.filter({ hasNotText: "Waiting" }).waitFor();
    const parts = this.page.locator("#result :is(p, button)");
    const text = (await parts.allInnerTexts()).join("\n");
    if (typeof expected === "string") assert(text.startsWith(expected), text);
    else assertMatch(text, expected);
  }

  /** Checks accessibility and the width. */
  async check(name: string): Promise<void> {
    const { explorer } = this;
    await page.evaluate(axe.source);
    const violations = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        axe: typeof import("axe-core");
      };
      return (await axe.run()).violations.map(({ id, nodes }) =>
        `${id}: ${nodes.map(({ html }) => html).join(" ")}`
      );
    });
    assertEquals(violations, [], name);
    const { width } = page.viewportSize()!;
    const needed = await page.evaluate(() =>
      document.documentElement.scrollWidth
    );
    assert(needed <= width, `${name}: ${needed} pixels wide, not ${width}`);
  }

  /** Checks a narrow screen with dark colors and a wide one with light colors. */
  async checkBoth(name: string): Promise<void> {
    const { explorer } = this;
    for (
      const [colorScheme, width] of [["dark", 390], ["light", 1280]] as const
    ) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ ...WIDE, width });
      await this.check(`${name}, ${colorScheme}`);
    }
  }
}
