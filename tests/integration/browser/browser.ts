import { existsSync } from "node:fs";
import process from "node:process";
import { after, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { assert, assertEquals, assertMatch } from "@std/assert";
import axe from "axe-core";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
} from "playwright-core";
import samples from "../../../data/plants.json" with { type: "json" };
import tokens from "../../../data/tokens.json" with { type: "json" };
import { createMemoryStore } from "../../../mod.ts";
import { openapi } from "../../../src/openapi/openapi.ts";
import { explorer } from "../../../src/explorer/explorer.ts";
import { serve } from "../../../src/server/serve.ts";
import { createGate } from "../../support/gate.ts";

const executablePath = process.env["CHROMIUM"] ||
  "/usr/bin/chromium-headless-shell";
if (!existsSync(executablePath)) {
  throw new Error(
    `${executablePath} does not exist: install Chromium (on Debian, apt-get install --no-install-recommends chromium-headless-shell), or set CHROMIUM`,
  );
}

/** Chromium, which runs until all tests of a file have ended. */
export const browser: Browser = await chromium.launch({
  executablePath,
  args: [
    "--host-resolver-rules=MAP phone.example 127.0.0.1",
    // Without the GPU process and V8's background threads, pages take less CPU time.
    ...["--disable-gpu", "--js-flags=--single-threaded"],
  ],
});
after(() => browser.close());

/** A tab with the API explorer, or a page of the site. */
export class Tab {
  readonly page: Page;
  /** The requests so far. */
  readonly requests: Request[] = [];
  readonly #errors: string[] = [];

  private constructor(page: Page, url: string) {
    this.page = page;
    page.setDefaultTimeout(60_000);
    const fetched = new Set<string>();
    const { origin } = new URL(url);
    page.on("request", (request) => {
      this.requests.push(request);
      if (request.resourceType() === "fetch") fetched.add(request.url());
      const url = new URL(request.url());
      // The lab imports code from memory.
      if (url.origin !== origin && url.protocol !== "blob:") {
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

  /** Opens a tab in which a script runs before those of each page. */
  static async open(
    url: string,
    options: BrowserContextOptions = {},
    script = "",
  ): Promise<Tab> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      permissions: ["clipboard-read", "clipboard-write"],
      ...options,
    });
    await context.addInitScript(script);
    const tab = new Tab(await context.newPage(), url);
    await tab.page.goto(url);
    return tab;
  }

  /** Closes the tab; it must have had no other errors than these. */
  async close(...errors: readonly string[]): Promise<void> {
    await this.page.context().close();
    assertEquals(this.#errors, errors);
  }

  /** Returns the size of all response bodies with gzip. */
  async countBytes(): Promise<number> {
    let size = 0;
    // This includes requests that start during the loop.
    for (const request of this.requests) {
      const response = await request.response();
      size += gzipSync(await response!.body()).length;
    }
    return size;
  }

  field(label: string): Locator {
    return this.page.getByLabel(label, { exact: true });
  }

  /** Returns a button; that of a demo token also says what the token sees or does. */
  button(name: string): Locator {
    return name.startsWith("demo-")
      ? this.page.locator(`#demo [value=${name}]`)
      : this.page.getByRole("button", { name, exact: true });
  }

  async press(name: string): Promise<void> {
    await this.button(name).click();
  }

  /** Presses Tab, or a similar key, until an element has the focus. */
  async tabTo(element: Locator, key = "Tab"): Promise<void> {
    const focused = element.and(this.page.locator(":focus"));
    for (let count = 0; !await focused.count(); count++) {
      assert(count < 200, `the keyboard does not reach ${element}`);
      await this.page.keyboard.press("Escape"); // otherwise, an editor keeps it
      await this.page.keyboard.press(key);
    }
  }

  /** Presses a button that copies a text, and returns the text. */
  async copy(button: Locator): Promise<string> {
    await this.page.evaluate(() => navigator.clipboard.writeText(""));
    await button.click();
    let text = "";
    while (text === "") {
      text = await this.page.evaluate(() => navigator.clipboard.readText());
    }
    return text;
  }

  /** Returns the visible text of an element. */
  async text(selector: string): Promise<string> {
    return await this.page.locator(selector).innerText();
  }

  /** Returns the visible texts of elements. */
  async texts(selector: string): Promise<string[]> {
    const texts = await this.page.locator(selector).allInnerTexts();
    return texts.map((text) => text.replace(/\s+/g, " ").trim());
  }

  /** Waits until an element contains a text or a match. */
  async see(selector: string, expected: string | RegExp): Promise<void> {
    await this.page.locator(selector, { hasText: expected }).first().waitFor();
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

  /** Presses a button of the explorer, and waits for a result that matches. */
  async send(expected: RegExp, name = "Send"): Promise<void> {
    const status = this.page.locator("#result .status:not([data-old])");
    await status.evaluate((element) => element.dataset["old"] = "");
    await this.press(name);
    await status.filter({ hasNotText: "Waiting" }).waitFor();
    const parts = await this.texts("#result :is(p, button):visible");
    assertMatch(parts.filter((part) => part !== "").join("\n"), expected);
  }

  /** Checks the width, and at the first two widths accessibility in dark and light colors. */
  async check(name: string, widths = [375, 1280]): Promise<void> {
    const { page } = this;
    for (const [index, width] of widths.entries()) {
      const colorScheme = index % 2 === 0 ? "dark" : "light";
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const state = `${name}, ${colorScheme}, ${width} pixels`;
      const needed = await page.evaluate(() =>
        document.documentElement.scrollWidth
      );
      assert(needed <= width, `${state}: ${needed} pixels wide`);
      if (index > 1) continue;
      const isLoaded = await page.evaluate("'axe' in globalThis");
      if (!isLoaded) await page.evaluate(axe.source);
      const violations = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as {
          axe: typeof import("axe-core");
        };
        return (await axe.run()).violations.map(({ id, nodes }) =>
          `${id}: ${nodes.map(({ html }) => html).join(" ")}`
        );
      });
      assertEquals(violations, [], state);
    }
  }
}

/** Serves the demo data, or these plants and users, and opens the API explorer. */
export async function open(
  t: TestContext,
  { link = "", plants = samples, users = tokens, ...options }:
    & BrowserContextOptions
    & {
      readonly plants?: unknown;
      readonly users?: unknown;
      /** The query of the page. */
      readonly link?: string;
    } = {},
) {
  const store = createMemoryStore({ plants, users } as never);
  const server = await serve(store, { port: 0, explorer, openapi });
  t.after(() => server.close({ shutdownTimeout: 0 }));
  const tab = await Tab.open(server.url + link, options);
  const isDemo = users === tokens;
  if (isDemo && link === "") await tab.see("#result .status", "200 OK");
  return { tab, page: tab.page, server };
}
