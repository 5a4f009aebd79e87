import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { after, test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { until } from "../../../tools/until.ts";
import { Tab } from "../browser/browser.ts";
import { walk } from "../browser/walk.ts";
import { SITE_URL, startHost } from "./host.ts";

const folder = "site/dist";
const host = await startHost({ after }, folder);
const names = (await readdir(folder)).filter((name) => /\.html$/.test(name))
  .map((name) => name.slice(0, -5));

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const LAPTOP = { viewport: { width: 1366, height: 768 } };

/** Opens a page of the site. */
async function open(name: string, options = {}) {
  const tab = await Tab.open(host.url + name.replace("index", ""), options);
  return { tab, page: tab.page };
}

/** Waits until the script of the page has run. */
async function untilReady(page: Page): Promise<void> {
  await page.evaluate(() => customElements.whenDefined("plant-live"));
}

/** Returns the texts that the Copy buttons of a document copy. */
async function listCopied(name: string): Promise<string[]> {
  const markdown = await readFile(`docs/${name}.md`, "utf8");
  const visible = markdown.replace(/<!--[^]*?-->/g, "");
  const blocks = visible.matchAll(/^```(\w+)\n([^]*?)^```$/gm);
  return Array.from(blocks, ([, language, text = ""]) => {
    if (language === "diff") return text;
    if (language !== "console") return text.slice(0, -1);
    const lines = text.split("\n").filter((line, index, lines) =>
      line.startsWith("$ ") || lines[index - 1]?.endsWith("\\")
    );
    return lines.map((line) => line.replace(/^\$ /, "")).join("\n");
  });
}

for (const name of names.filter((name) => name !== "404")) {
  test(`the page "${name}" is accessible, fits, and its buttons work`, async () => {
    const { tab, page } = await open(name, { reducedMotion: "reduce" });
    const html = await readFile(join(folder, `${name}.html`), "utf8");
    if (html.includes("<plant-")) {
      await tab.see(":is(plant-run, plant-live) button", "");
    }
    if (name === "lab") { // whose Run buttons call the learner's handler
      await tab.press("Solve");
      await tab.see(".report", "14 of 14");
    }
    for (const button of await page.locator("plant-run button").all()) {
      await button.click();
    }
    for (const status of await page.locator("plant-run [role=status]").all()) {
      await status.filter({ hasText: "match the output above" }).waitFor();
      assertMatch(await status.innerText(), /: ([1-9]\d*) of \1$/);
    }
    const wrong = page.locator("[data-same=false] pre:first-of-type");
    assertEquals(await wrong.allTextContents(), []);
    const kinds = tab.requests.map((request) => request.resourceType());
    assert(!kinds.includes("fetch")); // the examples need no network

    for (const details of await page.locator("details").all()) {
      await details.evaluate((element) => element.setAttribute("open", ""));
    }
    // In one step, because each takes half a second.
    const copied = await page.evaluate(() => {
      const copied: string[] = [];
      navigator.clipboard.writeText = (text) => {
        copied.push(text);
        return Promise.resolve();
      };
      document.querySelectorAll<HTMLElement>("button.copy")
        .forEach((button) => button.click());
      return copied;
    });
    // The blocks in the lab are from the tutorial.
    if (name !== "lab") assertEquals(copied, await listCopied(name));

    await tab.check(name);
    for (const { viewport } of [LAPTOP, PHONE]) {
      await page.setViewportSize(viewport);
      const covered = await page.locator("button.copy").evaluateAll((buttons) =>
        buttons.filter((button) => {
          const { bottom, left } = button.getBoundingClientRect();
          const range = document.createRange();
          range.selectNodeContents(
            button.parentElement!.querySelector("code")!,
          );
          return [...range.getClientRects()].some((line) =>
            line.top < bottom && line.right > left && line.width > 0
          );
        }).length
      );
      assertEquals(covered, 0, `Copy buttons cover code: ${viewport.width}`);
    }
    const wide = await page.locator("table").evaluateAll((tables) =>
      tables.filter((table) => table.scrollWidth > table.clientWidth)
        .map(({ textContent }) => textContent)
    );
    assertEquals(wide, [], "tables that a phone does not show");
    await tab.close();
  });
}

/** A page of each kind; the other documents have the controls of these. */
const KINDS = ["404", "index", "http-api", "tutorial", "lab", "api/"];

test("no control loses the focus, and each shows it", async () => {
  const { tab, page } = await open("", { reducedMotion: "reduce" });
  for (const name of KINDS) {
    await page.goto(host.url + name);
    if (name === "api/") await tab.see("#result .status", "200 OK");
    else await untilReady(page);
    // Documents have the same navigation, which is visited in http-api.
    if (name === "tutorial") {
      const navigation = page.locator(".VPNav, .VPSidebar, .VPDocAside");
      await navigation.evaluateAll((all) =>
        all.forEach((each) => each.setAttribute("inert", ""))
      );
    }
    await walk(page);
  }
  await tab.close();
});

test("a Run button shows differences from the document", async () => {
  const { tab, page } = await open("http-api");
  const element = page.locator("plant-run").first();
  await element.locator("button").waitFor();
  await element.evaluate((element) => {
    const commands = element.getAttribute("commands")!;
    const changed = commands.replaceAll("Monstera", "Planta");
    element.setAttribute("commands", changed);
    element.replaceWith(element); // connects it again
  });
  await element.locator("button").click();
  const result = element.locator("[data-same=false]");
  const lines = await result.locator("pre").first().innerText();
  assertMatch(lines, /^- \[\{"name":"Planta .*\n\+ \[\{"name":"Monstera /);
  const status = await element.locator("[role=status]").innerText();
  assertEquals(status, "Responses that match the output above: 0 of 1");
  await tab.close();
});

test("without the script of the API, buttons report a failure and stay usable", async () => {
  const { page } = await open("http-api");
  const button = page.locator("plant-run button").first();
  await button.waitFor();
  await page.route(/\.js$/, (route) => route.abort());
  await button.click();
  const failure = /Cannot run: .* Reload the page, and try again\./;
  await page.locator("[role=status]", { hasText: failure }).first().waitFor();
  await button.click({ trial: true }); // waits until it is enabled
  await page.context().close();
});

test("the home page sends requests", async () => {
  const { tab } = await open("");
  await tab.see("plant-live button", "Send"); // the script adds it
  const text = tab.field("Request");
  for (
    const [token, limit, status, shown] of [
      ["demo-florist", "?limit=2", "200 OK. The token is valid", "Helianthus"],
      ["demo-curator", "?limit=-1", "400 Bad Request. limit must be", "got"],
      ["unknown-token", "", "401 Unauthorized", "www-authenticate: "],
      ["", "", "401 Unauthorized. No bearer token", "Bearer realm"],
    ] as const
  ) {
    await text.fill(`GET /plants${limit}`);
    await tab.field("Token").selectOption(token);
    await tab.see("plant-live [role=status]", status);
    await tab.see("plant-live pre", new RegExp(shown, "i"));
  }
  await text.fill("DELETE /plants");
  await text.press("Control+Enter");
  await tab.see("plant-live [role=status]", "405 Method Not Allowed");
  await tab.close();
});

test("only the API explorer uses a service worker; it has the theme of the site, and a way back", async () => {
  const { tab, page } = await open("", { colorScheme: "light" });
  await page.getByRole("switch").click(); // to dark colors
  await page.locator(".actions").getByText("API explorer").click();
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await tab.see("#result .status", "200 OK");
  const background = await page.evaluate(() =>
    getComputedStyle(document.documentElement).backgroundColor
  );
  assertEquals(background, "rgb(16, 22, 18)");
  const hint = /^404 .*\n.*try \/plant-store\/api\/plants/;
  await tab.send(hint, "Unknown path 404");
  const isSent = (path: string) => /^api\/(?:plants|unknown)/.test(path);
  assertEquals([...host.paths].filter(isSent), []);

  await page.getByRole("link", { name: "Home" }).click();
  await tab.see("h1", "Store");
  const isControlled = () => navigator.serviceWorker.controller !== null;
  assertEquals(await page.evaluate(isControlled), false);
  await tab.close();
});

test("a missing page shows an error with a link to the home page", async () => {
  const { tab } = await open("missing");
  await tab.see("h1", "Page not found");
  await tab.check("404");
  assertEquals(await tab.texts(".not-found a"), ["Home"]);
  const reason = "the server responded with a status of 404 (Not Found)";
  await tab.close(`Failed to load resource: ${reason}`);
});

test("the worksheet has one page of questions and one of answers", async () => {
  const { tab, page } = await open("worksheet");
  for (const format of ["A4", "Letter"]) {
    const margin = { top: "1cm", right: "1cm", bottom: "1cm", left: "1cm" };
    const pdf = (await page.pdf({ format, margin })).toString("latin1");
    assertEquals(pdf.match(/\/Type\s*\/Page\b/g)!.length, 2, format);
  }
  await page.emulateMedia({ media: "print" });
  const before = await page.locator("#answers").evaluate((element) =>
    getComputedStyle(element).breakBefore
  );
  assertEquals(before, "page");
  await tab.close();
});

test("the search reloads a page whose scripts are gone after a deployment, and finds a status first", async () => {
  const { tab, page } = await open("");
  await page.route("**/*SearchBox*", (route) => route.abort());
  const reloaded = page.waitForEvent("load");
  const search = page.getByRole("button", { name: "Search" });
  await search.click();
  await reloaded;
  await page.unroute("**/*SearchBox*");
  await search.click();
  for (const status of ["401", "503"]) {
    await page.locator(".search-input").fill(status);
    const first = page.locator(".results .result").first();
    await first.locator(".title", { hasText: status }).first().waitFor();
    const link = (await first.getAttribute("href"))!;
    assertMatch(link, new RegExp(`#.*${status}`));
  }
  await tab.close("Failed to load resource: net::ERR_FAILED");
});

for (
  const [name, result, limit] of [
    ["", "plant-live bdi", 111_000],
    ["http-api", "plant-run pre", 130_000],
  ] as const
) {
  test(`the page "${name}" and one of its requests are small`, async () => {
    const { tab, page } = await open(name);
    await page.locator(":is(plant-live, plant-run) button").first().click();
    await page.locator(result).first().waitFor();
    const size = await tab.countBytes();
    assert(size <= limit, `${size} bytes`);
    await tab.close();
  });
}

test("links and anchors are valid, and each page has a policy and a description", async () => {
  const html = new Map<string, string>();
  for (const name of names) {
    html.set(name, await readFile(join(folder, `${name}.html`), "utf8"));
  }
  let count = 0;
  const descriptions = new Set<string>();
  for (const [name, text] of html) {
    const link = `link" href="/plant-store/${name}"`;
    const isListed = html.get("tutorial")!.includes(link);
    assert(isListed || /^(?:404|index)$/.test(name), name);
    assertMatch(text, /<head>\s*<meta http-equiv="Content-Security-Policy"/);
    const url = SITE_URL + name.replace("index", "");
    assert(text.includes(`<link rel="canonical" href="${url}">`), name);
    const [, description = ""] =
      /<meta property="og:description" content="([^"]*)">/.exec(text) ?? [];
    assert(text.includes(`<meta name="description" content="${description}">`));
    if (name !== "404") assert(description.length > 30, description);
    assert(!descriptions.has(description), description);
    descriptions.add(description);
    for (const [, href] of text.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      const target = new URL(href!, url);
      if (target.host !== "site.example") continue;
      const path = posix.relative("/plant-store/", target.pathname);
      if (path === "api") continue;
      const found = html.get(path === "" ? "index" : path.replace(".html", ""));
      assert(found !== undefined, `${name}: ${href}`);
      const id = decodeURIComponent(target.hash.slice(1));
      assert(id === "" || found.includes(` id="${id}"`), `${name}: ${href}`);
      count++;
    }
  }
  assert(count > 100, `${count}`);
});

test("llms.txt leads to each document as Markdown", async () => {
  const text = await readFile(join(folder, "llms.txt"), "utf8");
  const links = Array.from(text.matchAll(/\]\((.*)\)/g), ([, link]) => link);
  const documents = names.filter((name) => !/^(?:404|index)$/.test(name));
  const expected = documents.map((name) => `${SITE_URL}${name}.md`);
  assertEquals(links.sort(), expected);
  for (const name of documents) {
    const markdown = await readFile(join(folder, `${name}.md`), "utf8");
    assertMatch(markdown, /^# /m);
  }
});

test("over HTTP on another host, each live part says what it needs", async () => {
  const url = host.url.replace("127.0.0.1", "phone.example");
  const tab = await Tab.open(url);
  const note = "This needs HTTPS or localhost.";
  await tab.see("plant-live", note);
  await tab.page.goto(`${url}http-api`);
  await tab.see("plant-run", note);
  await tab.page.goto(`${url}api/`);
  await tab.see("#result", /which requires HTTPS or localhost/);
  await tab.page.goto(`${url}lab`); // needs nothing
  await tab.page.locator("[value=request]").check();
  await tab.press("Send");
  await tab.see(".request [role=status]", "200 OK");
  await tab.close();
});

for (const [options, last] of [[LAPTOP, "pre"], [PHONE, "li"]] as const) {
  const { width, height } = options.viewport;
  test(`the first screen has a response: ${width} pixels`, async () => {
    const { page } = await open("", options);
    const shown = page.locator(`.try ${last}`).first();
    const { y, height: own } = (await shown.boundingBox())!;
    assert(y + own < height, `${y + own}`);
    await page.context().close();
  });
}

test("on a phone, the first screen of a document leads to the explorer and the lab", async () => {
  const { tab, page } = await open("http-api", PHONE);
  for (const [name, path] of [["API explorer", "api/"], ["lab", "lab"]]) {
    const link = page.locator(".about").getByRole("link", { name: name! });
    assertEquals(await link.getAttribute("href"), `/plant-store/${path}`);
    const { y } = (await link.boundingBox())!;
    assert(y < 200, `${y}`);
  }
  for (const name of ["", "lab"]) {
    await page.goto(host.url + name);
    assert(!await page.locator(".about").isVisible(), name);
  }
  await tab.close();
});

for (const javaScriptEnabled of [true, false]) {
  test(`the bar hides no heading, and there is navigation; scripts: ${javaScriptEnabled}`, async () => {
    const { page } = await open("http-api", { ...PHONE, javaScriptEnabled });
    // Until then, VitePress scrolls to what the first address named.
    if (javaScriptEnabled) await untilReady(page);
    const untilVisible = (id: string) =>
      until(async () => { // VitePress scrolls later
        const { y } = (await page.locator(`id=${id}`).boundingBox())!;
        return y > 64 && y < 844;
      });
    for (const id of ["10-order-of-checks", "3-limit"]) {
      await page.goto(`${host.url}http-api#${id}`);
      await untilVisible(id);
    }
    await page.goBack();
    await untilVisible("10-order-of-checks");
    const isMenu = await page.locator(".VPLocalNav").isVisible();
    assertEquals(isMenu, javaScriptEnabled);
    // With scripts, the menu moves the links into view.
    const { x } = (await page.locator(".VPSidebar a").first().boundingBox())!;
    assertEquals(x >= 0, !javaScriptEnabled);
    await page.context().close();
  });
}

test("without scripts, a page starts with its text", async () => {
  for (const { viewport } of [PHONE, LAPTOP]) {
    const options = { viewport, javaScriptEnabled: false };
    const { page } = await open("http-api", options);
    const { y } = (await page.locator("h1").boundingBox())!;
    assert(y < 200, `${viewport.width} pixels wide: ${y}`);
    await page.goto(`${host.url}lab`);
    const text = await page.locator("main").innerText();
    assertMatch(text, /The lab needs JavaScript\.$/);
    await page.context().close();
  }
});
