import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert, assertEquals } from "@std/assert";
import axe from "axe-core";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";

/** Where a person can look at what the tests saw; git ignores it. */
const SCREENSHOTS = fileURLToPath(new URL("screenshots/", import.meta.url));

/** Starts Chromium; says what to install where there is none, and ends the process. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM"] || "/usr/bin/chromium";
  if (!existsSync(executablePath)) {
    console.error(
      `${executablePath} is not there: install Chromium (on Debian, apt-get install --no-install-recommends chromium), or name one in CHROMIUM`,
    );
    process.exit(1);
  }
  await mkdir(SCREENSHOTS, { recursive: true });
  return await chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}

/** A visit to the page, which notes what should not happen on it. */
export interface Visit {
  readonly page: Page;
  /** Checks what is on the screen, with every means there is, and keeps a picture of it. */
  check(name: string): Promise<void>;
  /** Ends the visit: beside these failures of requests, Chromium has told of no error. */
  end(failures?: readonly string[]): Promise<void>;
}

/** Visits the page. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"],
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      errors.push(message.text().replace("Failed to load resource: ", ""));
    }
  });
  page.on("pageerror", (error) => errors.push(`${error}`));
  const { origin } = new URL(url);
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) errors.push(request.url());
  });
  await page.goto(url);
  return {
    page,
    async check(name) {
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
      const path = `${SCREENSHOTS}${name}.png`;
      await page.screenshot({ path, fullPage: true });
    },
    async end(failures = []) {
      await context.close();
      assertEquals(errors, [...failures]);
    },
  };
}

/** The status and its name in the outcome, once it is there. */
export async function outcome(page: Page, title: string): Promise<string> {
  const status = page.locator("#outcome .status", { hasText: title });
  await status.waitFor();
  return await page.locator("#outcome").innerText();
}
