import { execFile } from "node:child_process";
import { copyFile, writeFile } from "node:fs/promises";
import { after, before, test, type TestContext } from "node:test";
import { promisify } from "node:util";
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Browser, Page } from "playwright-core";
import { startServer } from "../cli/command.ts";
import { type Files, writeFiles } from "../files.ts";
import { openBrowser, outcome, visit } from "./browser.ts";

const exec = promisify(execFile);

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

/** Serves a copy of the sample data, or these plants. */
async function open(
  t: TestContext,
  { plants, args = [] }: {
    readonly plants?: unknown;
    readonly args?: readonly string[];
  } = {},
) {
  const files: Files = await writeFiles(t, plants ? { plants } : {});
  if (!plants) await copyFile("data/plants.json", files.plants);
  await copyFile("data/tokens.json", files.tokens);
  const { plants: plantsFile, tokens } = files;
  const all = ["--plants", plantsFile, "--tokens", tokens, ...args];
  return { files, all, server: await startServer(t, all) };
}

const BAD_REQUEST = "the server responded with a status of 400 (Bad Request)";
const UNAUTHORIZED = "the server responded with a status of 401 (Unauthorized)";

const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).click();
const send = (page: Page) => press(page, "Send");
const cards = (page: Page) => page.locator("#list li");

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1280]) {
    test(`every state is fit to be seen, ${colorScheme}, ${width} pixels wide`, async (t) => {
      const { server, all } = await open(t);
      const viewport = { width, height: 900 };
      const { page, check, end } = await visit(browser, server.url, {
        colorScheme,
        viewport,
      });
      const name = (state: string) => `${state}-${colorScheme}-${width}`;

      await check(name("0-nothing-sent"));
      await send(page);
      assertMatch(await outcome(page, "200 OK"), /the first 12 plants/);
      assertEquals(await cards(page).count(), 12);
      await check(name("1-plants"));

      await send(page);
      assertMatch(
        await outcome(page, "304 Not Modified"),
        /your copy is still right, and sent no body[^]* 531 bytes/,
      );
      assertEquals(await cards(page).count(), 12);
      await check(name("2-not-modified"));

      await press(page, "demo-visitor");
      await send(page);
      assertMatch(await outcome(page, "200 OK"), /empty, and that is no error/);
      await check(name("3-no-plants"));

      await press(page, "No token");
      assertMatch(
        await outcome(page, "401 Unauthorized"),
        /Send a bearer token[^]*No token was sent/,
      );
      await check(name("4-no-token"));

      await press(page, "Wrong token");
      await page.locator("#outcome", { hasText: "answered alike" }).waitFor();
      await check(name("5-wrong-token"));

      await press(page, "Expired token");
      await page.locator("#outcome", {
        hasText: "In the sample data demo-expired has expired",
      }).waitFor();
      await check(name("6-expired-token"));

      await press(page, "demo-curator");
      await press(page, "Bad limit");
      assertMatch(
        await outcome(page, "400 Bad Request"),
        /limit must be an integer from 0 to 2147483647[^]*"-1"/,
      );
      await check(name("7-bad-limit"));

      server.kill("SIGKILL");
      await server.ended;
      await press(page, "demo-curator");
      await send(page);
      assertMatch(await outcome(page, "No answer"), /There is no status/);
      assertEquals(
        await page.locator("#answer").innerText(),
        "No answer\n\nNo status, no header fields, no body.",
      );
      assertEquals(await cards(page).count(), 0);
      await check(name("8-no-answer"));

      await startServer(t, [...all, "--port", `${server.port}`]);
      await send(page);
      await outcome(page, "304 Not Modified");
      await end([
        UNAUTHORIZED,
        UNAUTHORIZED,
        UNAUTHORIZED,
        BAD_REQUEST,
        "net::ERR_CONNECTION_REFUSED",
      ]);
    });
  }
}

test("the exchange has what went over the wire", async (t) => {
  const { server } = await open(t);
  const { page, end } = await visit(browser, server.url);
  await page.getByLabel("Limit").fill("2");
  await send(page);
  await outcome(page, "200 OK");
  const response = await fetch(`${server.url}plants?limit=2`, {
    headers: { authorization: "Bearer demo-curator" },
  });
  const body = await response.text();
  assertEquals(
    await page.locator("#request-line").innerText(),
    "GET\n/plants?limit=2",
  );
  assertMatch(
    await page.locator("#answer .line").innerText(),
    /^200 OK\s+in \d+\.\d ms$/,
  );
  const shown = await page.locator("#answer pre").innerText();
  assertEquals(shown.replaceAll(/\n */g, ""), body);
  const fields = await page.locator("#answer tr").evaluateAll((rows) =>
    rows.map((row) =>
      [
        row.querySelector("th")!.textContent!.toLowerCase(),
        row.querySelector("td")!.firstChild!.textContent!,
      ] as const
    )
  );
  const sent = new Map(response.headers);
  sent.delete("date");
  assertEquals(
    new Map(fields.filter(([name]) => name !== "date").sort()),
    new Map([...sent].sort()),
  );
  await end();
});

test("the token is masked until it is asked for, and never in the URL", async (t) => {
  const { server } = await open(t);
  const { page, end } = await visit(browser, server.url);
  const text = () => page.locator("#exchange").innerText();
  await page.getByLabel("Token", { exact: true }).fill("secret-1");
  await send(page);
  await outcome(page, "401 Unauthorized");
  assert(!(await text()).includes("secret-1"));
  await page.locator("#exchange").getByRole("button", { name: "Show token" })
    .click();
  assertMatch(
    await text(),
    /Bearer secret-1[^]*curl .*Authorization: Bearer secret-1/,
  );
  assertEquals(await page.locator("#token").getAttribute("type"), "text");
  await page.locator("form").getByRole("button", { name: "Show token" })
    .click();
  assert(!(await text()).includes("secret-1"));
  assertEquals(page.url(), `${server.url}?limit=12`);
  await end([UNAUTHORIZED]);
});

test("what is copied works as pasted", async (t) => {
  const { server } = await open(t);
  const { page, end } = await visit(browser, server.url);
  const copy = async (kind: string) => {
    await page.getByLabel(kind, { exact: true }).check();
    await press(page, `Copy ${kind}`);
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assertEquals(await page.locator("#said").innerText(), "Copied");
    return await page.evaluate(() => navigator.clipboard.readText());
  };
  const runShell = async (line: string) =>
    (await exec("sh", ["-c", line])).stdout;
  const printing = (line: string) =>
    runShell(
      `show() { printf '%s\\n' "$@"; }; ${line.replace(/^\w+/, "show")}`,
    );

  await page.getByLabel("Limit").fill("2");
  await send(page);
  await outcome(page, "200 OK");
  assertMatch(
    await runShell(`${await copy("curl")} -sS`),
    /^HTTP\/1\.1 200 OK[^]*Monstera/,
  );
  const { stdout } = await exec("node", [
    "--input-type=module",
    "-e",
    await copy("fetch"),
  ]);
  assertMatch(stdout, /^200 \[.*Monstera/);
  assertEquals(
    await printing(await copy("HTTPie")),
    `${server.url}plants?limit=2\nAuthorization:Bearer demo-curator\n`,
  );

  await send(page);
  await outcome(page, "304 Not Modified");
  assertMatch(
    await runShell(`${await copy("curl")} -sS`),
    /^HTTP\/1\.1 304 Not Modified/,
  );

  const token = "a'b\"c$HOME`d\\e";
  await page.getByLabel("Token", { exact: true }).fill(token);
  await page.getByLabel("Limit").fill("$(id)'&");
  await send(page);
  await outcome(page, "401 Unauthorized");
  const url = `${server.url}plants?limit=%24%28id%29%27%26`;
  assertEquals(
    await printing(await copy("curl")),
    `-i\n-H\nAuthorization: Bearer ${token}\n${url}\n`,
  );
  assertEquals(
    await printing(await copy("HTTPie")),
    `${url}\nAuthorization:Bearer ${token}\n`,
  );
  await end([UNAUTHORIZED]);
});

test("copying works without the clipboard of secure contexts", async (t) => {
  const { server } = await open(t);
  const { page, end } = await visit(browser, server.url);
  await page.evaluate(() =>
    Object.defineProperty(navigator, "clipboard", { value: undefined })
  );
  await press(page, "Copy curl");
  await page.getByRole("button", { name: "Copied" }).waitFor();
  await page.getByLabel("Limit").fill("");
  await page.getByLabel("Limit").press("Control+v");
  assertMatch(
    await page.getByLabel("Limit").inputValue(),
    /^curl .*Bearer demo-curator/,
  );
  await end();
});

test("a link has the query and the filter", async (t) => {
  const { server } = await open(t);
  const { page, end } = await visit(browser, server.url);
  await page.getByLabel("Limit").fill("");
  await send(page);
  await outcome(page, "200 OK");
  assertEquals(await page.locator("#count").innerText(), "198 plants");
  await page.getByLabel("Filter").fill("Fern");
  assertEquals(await page.locator("#count").innerText(), "13 of 198 plants");
  assertEquals(await cards(page).count(), 13);
  assertEquals(page.url(), `${server.url}?limit=&filter=Fern`);
  await page.getByLabel("Filter").fill("");
  await press(page, "orchid 12");
  assertEquals(await page.locator("#count").innerText(), "12 of 198 plants");
  const link = page.url();
  await end();

  const other = await visit(browser, link);
  assertEquals(await other.page.getByLabel("Limit").inputValue(), "");
  await send(other.page);
  await outcome(other.page, "200 OK");
  assertEquals(await cards(other.page).count(), 12);
  await other.page.getByRole("button", { name: "orchid 12", pressed: true })
    .click();
  assertEquals(other.page.url(), `${server.url}?limit=`);
  assertEquals(await cards(other.page).count(), 24);
  await press(other.page, "Show more (174 left)");
  assertEquals(await cards(other.page).count(), 48);
  await other.check("9-all-plants");
  await other.end();

  const bad = await visit(browser, `${server.url}?limit=ten&token=x`);
  assertEquals(await bad.page.getByLabel("Limit").inputValue(), "ten");
  await send(bad.page);
  await outcome(bad.page, "400 Bad Request");
  assertEquals(bad.page.url(), `${server.url}?limit=ten`);
  await bad.end([BAD_REQUEST]);
});

test("the keyboard alone is enough", async (t) => {
  const { server } = await open(t);
  const { page, end } = await visit(browser, server.url);
  /** Goes on to what has this name, and sees that the focus shows. */
  async function tabTo(name: string): Promise<void> {
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press("Tab");
      const focus = await page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement;
        const label = element.labels?.[0] ?? element;
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        return {
          name: (element.ariaLabel ?? label.textContent)?.trim(),
          outline: `${outlineStyle} ${outlineWidth}`,
        };
      });
      assertEquals(focus.outline, "solid 3px", focus.name ?? "");
      if (focus.name === name) return;
    }
    throw new Error(`the focus never came to ${name}`);
  }

  await tabTo("Limit");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("30");
  await tabTo("demo-florist");
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  assertMatch(await outcome(page, "200 OK"), /the first 30 plants/);
  await tabTo("Bad limit");
  await page.keyboard.press("Enter");
  await outcome(page, "400 Bad Request");
  await page.getByRole("button", { name: "demo-florist" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Limit").focus();
  await page.keyboard.press("Enter");
  await outcome(page, "304 Not Modified");
  await tabTo("Filter by name or tag");
  await page.keyboard.type("flower");
  assertMatch(await page.locator("#count").innerText(), /^\d+ of 30 plants$/);
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await tabTo("Show more (6 left)");
  await page.keyboard.press("Enter");
  const focused = page.locator("#list li:focus");
  assertEquals(
    await focused.innerText(),
    await cards(page).nth(24).innerText(),
  );
  await page.getByLabel("curl").focus();
  await page.keyboard.press("ArrowRight");
  assertMatch(await page.locator("#snippet").innerText(), /await fetch/);
  await tabTo("Copy fetch");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Copied" }).waitFor();
  await end([BAD_REQUEST]);
});

test("demo tokens are offered until they are revoked", async (t) => {
  const { server, files } = await open(t);
  const { page, check, end } = await visit(browser, server.url);
  await writeFile(files.tokens, "{}");
  await server.until("stderr", /tokens\.json reloaded/);
  await send(page);
  assertMatch(await outcome(page, "401 Unauthorized"), /revoked/);
  const demo = (name: string) => page.getByRole("button", { name });
  assert(await demo("demo-curator").isDisabled());
  assert(await demo("demo-florist").isEnabled());
  await check("10-revoked");
  await page.reload();
  assertEquals(await page.getByText(/demo-|Expired token/).count(), 0);
  assertEquals(await page.locator("#token").inputValue(), "");
  await check("11-no-demo-tokens");
  await end([UNAUTHORIZED]);
});

test("the page works under a base path", async (t) => {
  const { server } = await open(t, { args: ["--base-path", "/api"] });
  const { page, end } = await visit(browser, server.url);
  await send(page);
  await outcome(page, "200 OK");
  assertEquals(
    await page.locator("#request-line").innerText(),
    "GET\n/api/plants?limit=12",
  );
  assertEquals(page.url(), `${server.url}?limit=12`);
  await end();
});

test("what plants are called is text", async (t) => {
  const name = "<img src=x onerror=alert(1)>";
  const long = "Llanfairpwllgwyngyll".repeat(10);
  const plants = [
    { name, tag: "<b>'\"" },
    { name: 'a":"b' },
    { name: long, tag: long },
    { name: "سرخس", tag: "درخت" },
  ];
  const { server } = await open(t, { plants });
  const { page, check, end } = await visit(browser, server.url);
  await send(page);
  await outcome(page, "200 OK");
  assertEquals(
    await cards(page).allInnerTexts(),
    [
      `${name}\n<b>'"`,
      'a":"b\nno tag',
      `${long}\n${long}`,
      "سرخس\nدرخت",
    ],
  );
  assertEquals(
    await cards(page).evaluateAll((cards) =>
      cards.map((card) => getComputedStyle(card).direction)
    ),
    ["ltr", "ltr", "ltr", "rtl"],
  );
  assertEquals(await page.locator("main img, main b b").count(), 0);
  const shown = await page.locator("#answer pre").innerText();
  assertEquals(JSON.parse(shown), plants);
  await check("12-odd-names");
  await end();
});

/** Answers that the server does not give by itself, and what the page makes of them. */
const ANSWERS = [
  [
    "503 Service Unavailable",
    '{"error":503,"message":"The plants are not available"}',
    /The plants are not available[^]*not yours/,
  ],
  [
    "400 Bad Request",
    '{"error":500,"message":"The plants could not be listed"}',
    /The plants could not be listed[^]*not yours/,
  ],
  ["502 Bad Gateway", "<h1>Bad gateway</h1>", /not yours/],
  ["200 OK", "<h1>Hello</h1>", /another service/],
  ["200 OK", "[1]", /another service/],
  ["200 OK", "[null]", /another service/],
  ["200 OK", "[{}]", /another service/],
  ["200 OK", '[{"name":"Ficus","tag":1}]', /another service/],
  ["404 Not Found", '{"message":{}}', /404 Not Found\s+A [^]*another service/],
  ["405 Method Not Allowed", "{}", /something on the way changed/],
  ["408 Request Timeout", "{}", /too long to arrive/],
  ["414 URI Too Long", "{}", /The URL is too long/],
  ["417 Expectation Failed", "{}", /something on the way changed/],
] as const;

test("answers that are no plant store's are told apart", async (t) => {
  const { server } = await open(t);
  const { page, end } = await visit(browser, server.url);
  const failed = (title: string) => !title.startsWith("200");
  for (
    const [title, body, expected] of ANSWERS
  ) {
    const status = Number(title.slice(0, 3));
    await page.route("**/plants*", (route) => route.fulfill({ status, body }));
    await page.evaluate(() =>
      document.querySelector("#outcome")!.replaceChildren()
    );
    await send(page);
    assertMatch(await outcome(page, title), expected);
    await page.unroute("**/plants*");
  }
  const titles = ANSWERS.map(([title]) => title).filter(failed);
  await end(titles.map((title) => {
    const [, status, reason] = /^(\d+) (.*)$/.exec(title)!;
    return `the server responded with a status of ${status} (${reason})`;
  }));
});

test("a status has a name where the answer gives none", async (t) => {
  const { server } = await open(t);
  const { page, end } = await visit(browser, server.url);
  for (
    const title of [
      "405 Method Not Allowed",
      "408 Request Timeout",
      "414 URI Too Long",
      "417 Expectation Failed",
      "431 Request Header Fields Too Large",
    ]
  ) {
    await page.evaluate((status) => {
      globalThis.fetch = () => Promise.resolve(new Response("", { status }));
    }, Number(title.slice(0, 3)));
    await send(page);
    await outcome(page, title);
  }
  await end();
});

test("a fault of the page is not said to be the server's", async (t) => {
  const { server } = await open(t);
  const { page, end } = await visit(browser, server.url);
  await page.evaluate(() => {
    Date.prototype.toLocaleTimeString = () => {
      throw new Error("what time is it?");
    };
  });
  await send(page);
  await page.locator("#answer .line", { hasText: "200 OK" }).waitFor();
  assertEquals(await page.getByText("No answer").count(), 0);
  assert(await page.getByRole("button", { name: "Send" }).isEnabled());
  await end(["Error: what time is it?"]);
});

test("a slow answer is waited for, and seen to be", async (t) => {
  const { server } = await open(t);
  const { page, end } = await visit(browser, server.url);
  await page.route("**/plants*", async (route) => {
    await outcome(page, "Sent");
    await route.continue();
  });
  await send(page);
  await outcome(page, "200 OK");
  await end();
});

test("what changes while an answer is awaited is for the next request", async (t) => {
  const { server } = await open(t);
  const { page, check, end } = await visit(browser, server.url);
  const limit = page.getByLabel("Limit");
  const line = page.locator("#request-line");
  const { promise, resolve } = withResolvers();
  await page.route("**/plants*", async (route) => {
    await promise;
    await route.continue();
  });
  await send(page);
  await limit.fill("2");
  for (const name of ["Bad limit", "demo-florist"]) {
    const button = page.getByRole("button", { name });
    assert(await button.isDisabled());
    await button.click({ force: true });
  }
  assertEquals(await limit.inputValue(), "2");
  assertEquals(
    await page.locator("#token").inputValue(),
    "demo-curator",
  );
  assertEquals(await line.innerText(), "GET\n/plants?limit=12");
  await outcome(page, "Sent");
  await check("14-sent");

  resolve();
  await outcome(page, "200 OK");
  assertEquals(await cards(page).count(), 12);
  assertEquals(await line.innerText(), "GET\n/plants?limit=12");
  await send(page);
  await page.locator("#outcome", { hasText: "the first 2 plants" }).waitFor();
  await limit.fill("12");
  await send(page);
  await outcome(page, "304 Not Modified");
  assertEquals(await cards(page).count(), 12);
  await end();
});

/** A promise and what fulfils it. */
function withResolvers() {
  let resolve = () => {};
  const promise = new Promise<void>((fulfil) => resolve = fulfil);
  return { promise, resolve };
}

test("one plant is spoken of as one", async (t) => {
  const { server } = await open(t, { plants: [{ name: "Ginkgo biloba" }] });
  const { page, end } = await visit(browser, server.url);
  await send(page);
  assertMatch(await outcome(page, "200 OK"), /: here is the 1 plant that/);
  await page.getByLabel("Limit").fill("1");
  await send(page);
  await page.locator("#outcome", { hasText: ": here is the first plant that" })
    .waitFor();
  await end();
});

test("tags are the same in any case and with any space around them", async (t) => {
  const tags = ["Fern", "FERN", " fern "];
  const plants = Array.from({ length: 60 }, (_, index) => ({
    name: `Plant ${index}`,
    tag: tags[index] ?? "tree",
  }));
  const { server } = await open(t, { plants });
  const { page, end } = await visit(browser, `${server.url}?limit=`);
  await send(page);
  await outcome(page, "200 OK");
  assertEquals(await page.locator("#said").innerText(), "");
  assertEquals(
    await page.locator("#tags button").allInnerTexts(),
    ["tree 57", "Fern 3"],
  );
  await press(page, "Show more (36 left)");
  assertEquals(await cards(page).count(), 48);
  await press(page, "tree 57");
  assertEquals(await cards(page).count(), 24);
  await press(page, "Fern 3");
  assertEquals(await cards(page).count(), 3);
  await page.locator("#said", { hasText: "3 of 60 plants" }).waitFor({
    state: "attached",
  });
  await page.getByLabel("Filter").fill(" fErN");
  assertEquals(await cards(page).count(), 3);
  await page.getByRole("button", { name: "Fern 3", pressed: true }).click();
  assertEquals(await page.locator("#count").innerText(), "60 plants");
  await end();
});

test("a link that can't be written keeps nothing from being sent", async (t) => {
  const { server } = await open(t);
  const { page, end } = await visit(browser, `${server.url}#exchange`);
  await send(page);
  await outcome(page, "200 OK");
  assertEquals(page.url(), `${server.url}?limit=12#exchange`);
  await page.evaluate(() => {
    history.replaceState = () => {
      throw new DOMException("Too many calls", "SecurityError");
    };
  });
  await send(page);
  await outcome(page, "304 Not Modified");
  await page.getByLabel("Limit").fill("2");
  await send(page);
  await outcome(page, "200 OK");
  assertEquals(await cards(page).count(), 2);
  await end();
});

test("what is wrong with a token is said where it can be", async (t) => {
  const { server } = await open(t);
  const { page, check, end } = await visit(browser, server.url);
  const token = page.getByLabel("Token", { exact: true });
  for (const value of ["ключ", "a\u0001b"]) {
    await token.fill(value);
    await page.evaluate(() =>
      document.querySelector("#outcome")!.replaceChildren()
    );
    await send(page);
    assertMatch(await outcome(page, "Not sent"), /no header field can hold/);
  }
  await check("13-not-sent");
  await token.fill("Bearer demo-curator");
  await send(page);
  assertMatch(await outcome(page, "401 Unauthorized"), /without Bearer/);
  await token.fill("a".repeat(20_000));
  await send(page);
  assertMatch(
    await outcome(page, "431 Request Header Fields Too Large"),
    /What you sent is too long/,
  );
  await check("15-too-long");
  await end([
    UNAUTHORIZED,
    "the server responded with a status of 431 (Request Header Fields Too Large)",
  ]);
});

test("forced colours leave what is pressed and the leaves to be seen", async (t) => {
  const { server } = await open(t);
  const { page, check, end } = await visit(browser, server.url, {
    forcedColors: "active",
  });
  await send(page);
  await outcome(page, "200 OK");
  const style = (selector: string, name: string, pseudo = "") =>
    page.locator(selector).first().evaluate(
      (element, [name, pseudo]) =>
        getComputedStyle(element, pseudo).getPropertyValue(name),
      [name, pseudo] as const,
    );
  const pressed = await style('[aria-pressed="true"]', "background-color");
  assert(pressed !== await style("#copy", "background-color"));
  assertEquals(
    await style("#list .tag", "forced-color-adjust", "::before"),
    "none",
  );
  await check("16-forced-colours");
  await end();
});

test("without JavaScript the page says how to go on", async (t) => {
  const { server } = await open(t);
  const { page, end } = await visit(browser, server.url, {
    javaScriptEnabled: false,
  });
  assertMatch(
    await page.locator("noscript").innerText(),
    /curl -i -H "Authorization: Bearer TOKEN" "http:\/\/HOST\/plants\?limit=3"/,
  );
  await end();
});
