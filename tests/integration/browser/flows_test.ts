import { execFile } from "node:child_process";
import { copyFile } from "node:fs/promises";
import { after, before, test, type TestContext } from "node:test";
import { promisify } from "node:util";
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { startServer } from "../../support/command.ts";
import { writeFiles } from "../../support/files.ts";
import { createGate } from "../../support/gate.ts";
import { Explorer, openBrowser } from "./browser.ts";

const exec = promisify(execFile);

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

/** Serves a copy of the sample data, or these plants, and opens the API explorer. */
async function open(
  t: TestContext,
  { plants, args = [], link = "", ...options }: BrowserContextOptions & {
    readonly plants?: unknown;
    readonly args?: readonly string[];
    readonly link?: string;
  } = {},
) {
  const files = await writeFiles(t, plants ? { plants } : {});
  if (!plants) await copyFile("data/plants.json", files.plants);
  await copyFile("data/tokens.json", files.tokens);
  const all = ["--plants", files.plants, "--tokens", files.tokens, ...args];
  const server = await startServer(t, all);
  const explorer = await Explorer.open(browser, server.url + link, options);
  return { explorer, page: explorer.page, server, all };
}

/** The states to look at: what to press, and the result. */
const STATES = [
  ["200", ["Send"], /^200 OK\s+The token is valid\..* first 12 plants that/],
  ["304", ["Send"], /^304 Not Modified\s+Your copy .* saved 531 bytes\.$/],
  ["empty", ["demo-visitor", "Send"], /^200 OK\s+.* is not an error/],
  ["no-token", ["No token"], /^401 .*\s+Missing.*\s+The request has no/],
  ["unknown", ["Unknown token"], /^401 .*\s+Invalid.*\s+Unknown, revoked/],
  ["expired", ["Expired token"], /^401 .*\s+Invalid.*\s+In the sample data/],
  ["limit", ["demo-curator", "Invalid limit"], /^400 .*\s+limit .*"-1"\s+The/],
  ["path", ["Unknown path"], /^404 .*\s+Not found.*\s+.* are at \/plants\./],
  ["method", ["Unsupported method"], /^405 .*\s+Method.*\s+The path exists/],
] as const;

for (const [colorScheme, width] of [["light", 1280], ["dark", 390]] as const) {
  test(`every state, ${colorScheme}, ${width} pixels wide`, async (t) => {
    const viewport = { width, height: 900 };
    const { explorer, server, all } = await open(t, { colorScheme, viewport });
    const check = (state: string) => explorer.check(`${state}-${colorScheme}`);
    await check("start");
    for (const [state, names, expected] of STATES) {
      for (const name of names.slice(0, -1)) await explorer.press(name);
      await explorer.send(expected, names.at(-1));
      await check(state);
    }
    await explorer.send("304 Not Modified", "Try method GET");
    assertEquals(await explorer.cards.count(), 12);

    server.kill("SIGKILL");
    await server.ended;
    await explorer.send(/^No response\s+The server is stopped/);
    assertMatch(
      await explorer.text("#exchange"),
      /No response\s+No status, headers, or body\.$/,
    );
    assertEquals(await explorer.cards.count(), 0);
    await check("no-response");

    await startServer(t, [...all, "--port", `${server.port}`]);
    await explorer.send("304 Not Modified");
    await explorer.close();
  });
}

test("the page shows the request and the response as they were sent", async (t) => {
  const { explorer, page, server } = await open(t);
  await explorer.field("Limit").fill("2");
  await explorer.send("200 OK");
  const response = await fetch(`${server.url}plants?limit=2`, {
    headers: { authorization: "Bearer demo-curator" },
  });
  const body = await response.text();
  assertEquals(await explorer.text("#request-line"), "GET\n/plants?limit=2");
  assertMatch(
    await explorer.text("#response-line"),
    /^200 OK\s+in \d+\.\d ms$/,
  );
  const shown = await explorer.text("#body-text");
  assertEquals(shown.replaceAll(/\n */g, ""), body);
  assertEquals(await explorer.text("#body-note"), "Body: 89 bytes, formatted.");
  await explorer.press("Copy body");
  await explorer.see("#body-copied", "Copied");
  assertEquals(
    await page.evaluate(() => navigator.clipboard.readText()),
    body,
  );
  const headers = await page.locator("#response-headers tr").evaluateAll((
    rows,
  ) =>
    rows.map((row) => [
      row.querySelector("th")!.textContent!.toLowerCase(),
      row.querySelector("td")!.firstChild!.textContent!,
    ])
  );
  assertEquals(
    headers.filter(([name]) => name !== "date").sort(),
    [...response.headers].filter(([name]) => name !== "date").sort(),
  );

  // The browser's own cache must not add If-None-Match.
  await page.reload();
  const request = page.waitForRequest(/plants\?limit=2$/);
  await explorer.send("200 OK");
  assertEquals(await (await request).headerValue("if-none-match"), null);
  await explorer.close();
});

test("the request and the snippet follow the form", async (t) => {
  const { explorer, page } = await open(t);
  const stale = page.locator("#stale");
  const see = async (request: string, snippet: RegExp) => {
    assertEquals(await explorer.text("#request-line"), request);
    assertMatch(await explorer.text("#snippet"), snippet);
  };
  await see("GET\n/plants?limit=12", /^curl -i -H .*demo-curator" ".*=12"$/);
  await explorer.field("Limit").fill("3");
  await see("GET\n/plants?limit=3", /limit=3"$/);
  assert(await stale.isHidden());
  await explorer.send("200 OK");
  assert(await stale.isHidden());
  await explorer.press("demo-florist");
  assert(await stale.isVisible());
  await see("GET\n/plants?limit=3", /Bearer demo-florist"/);
  await explorer.field("Limit").fill("");
  await see("GET\n/plants", /\/plants"$/);
  await explorer.field("Path").fill("/a b?c#d[1]");
  await see("GET\n/a%20b%3Fc%23d[1]", /^curl -i -g .*d\[1\]'$/);
  await explorer.field("Path").fill("//other.example/plants");
  await see("GET\n//other.example/plants", /"http:\/\/127\.0\.0\.1:\d+\/\/o/);
  await explorer.field("Method").selectOption("DELETE");
  await see("DELETE\n//other.example/plants", /^curl -i -X DELETE /);
  await explorer.field("Method").selectOption("HEAD");
  await see("HEAD\n//other.example/plants", /^curl -I -H /);
  await explorer.send("404 Not Found");
  assert(await stale.isHidden());
  await explorer.close();
});

test("only a private token is masked, and no token is in the URL", async (t) => {
  const { explorer, page, server } = await open(t);
  const token = explorer.field("Token");
  const showToken = explorer.field("Show token");
  for (const name of ["demo-florist", "Unknown token", "Expired token"]) {
    await explorer.press(name);
    const value = await token.inputValue();
    assertMatch(await explorer.text("#request-headers"), RegExp(value));
    assertMatch(await explorer.text("#snippet"), RegExp(value));
    assertEquals(await token.getAttribute("type"), "text");
    assert(await showToken.isHidden());
  }
  await token.fill("secret-1");
  await explorer.send("401 Unauthorized");
  assertEquals(await token.getAttribute("type"), "password");
  assert(!(await page.content()).includes("secret-1"));
  await explorer.see(
    "#masked",
    "The token is hidden here, but the Copy button includes it",
  );
  await explorer.press("Copy");
  await explorer.see("#copied", "Copied");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assertMatch(copied, /Bearer secret-1"/);
  await explorer.check("masked");
  await showToken.check();
  assertEquals(await token.getAttribute("type"), "text");
  assertMatch(await explorer.text("#request-headers"), /Bearer secret-1/);
  assertMatch(await explorer.text("#snippet"), /Bearer secret-1/);
  assert(await page.locator("#masked").isHidden());
  await showToken.uncheck();
  assert(!(await explorer.text("#exchange")).includes("secret-1"));
  assertEquals(
    page.url(),
    `${server.url}?method=GET&path=%2Fplants&limit=12`,
  );
  await explorer.send("200 OK", "Try token demo-curator");
  await explorer.close();
});

test("copied snippets work", async (t) => {
  const { explorer, page, server } = await open(t);
  const copy = async (format: string) => {
    await explorer.field("Copy as").selectOption(format);
    await explorer.press("Copy");
    await explorer.see("#copied", "Copied");
    return await page.evaluate(() => navigator.clipboard.readText());
  };
  const run = async (line: string) => (await exec("sh", ["-c", line])).stdout;
  const printArguments = (line: string) =>
    run(`show() { printf '%s\\n' "$@"; }; ${line.replace(/^\w+/, "show")}`);

  await explorer.field("Limit").fill("2");
  await explorer.send("200 OK");
  await explorer.send("304 Not Modified");
  const curl = await copy("curl");
  assertMatch(await run(`${curl} -sS`), /^HTTP\/1\.1 200 OK[^]*Monstera/);
  const { stdout } = await exec("node", [
    "--input-type=module",
    "-e",
    await copy("fetch"),
  ]);
  assertMatch(stdout, /^200 \[.*Monstera/);
  assertEquals(
    await printArguments(await copy("HTTPie")),
    `GET\n${server.url}plants?limit=2\nAuthorization:Bearer demo-curator\n`,
  );
  await explorer.field("With If-None-Match").check();
  assertMatch(
    await run(`${await copy("curl")} -sS`),
    /^HTTP\/1\.1 304 Not Modified/,
  );

  const token = "a'b\"c$HOME`d\\e";
  await explorer.field("Token").fill(token);
  await explorer.field("Limit").fill("$(id)'&");
  const url = `${server.url}plants?limit=%24%28id%29%27%26`;
  assertEquals(
    await printArguments(await copy("curl")),
    `-i\n-H\nAuthorization: Bearer ${token}\n${url}\n`,
  );
  assertEquals(
    await printArguments(await copy("HTTPie")),
    `GET\n${url}\nAuthorization:Bearer ${token}\n`,
  );
  await explorer.close();
});

test("copying does not need a secure context", async (t) => {
  const { explorer, page } = await open(t);
  await page.evaluate(() =>
    Object.defineProperty(navigator, "clipboard", { value: undefined })
  );
  await explorer.press("Copy");
  await explorer.see("#copied", "Copied");
  await explorer.field("Limit").fill("");
  await explorer.field("Limit").press("Control+v");
  assertMatch(
    await explorer.field("Limit").inputValue(),
    /^curl .*Bearer demo-curator/,
  );
  await explorer.close();
});

test("a link contains the request, without the token", async (t) => {
  const { explorer, page, server } = await open(t, {
    link: "?limit=ten&token=x&method=PURGE&other=1",
  });
  assertEquals(await explorer.field("Limit").inputValue(), "ten");
  assertEquals(await explorer.field("Token").inputValue(), "demo-curator");
  assertEquals(await explorer.field("Method").inputValue(), "GET");
  await explorer.send("400 Bad Request");
  await explorer.field("Path").fill("/healthz");
  await explorer.field("Method").selectOption("HEAD");
  await explorer.send("200 OK");
  const link = `${server.url}?method=HEAD&path=%2Fhealthz&limit=ten`;
  assertEquals(page.url(), link);
  await page.goto(link);
  assertEquals(
    await explorer.text("#request-line"),
    "HEAD\n/healthz?limit=ten",
  );
  await explorer.close();
});

test("plants are filtered until the next request", async (t) => {
  const { explorer } = await open(t, { link: "?limit=" });
  const filter = explorer.field("Filter by name or tag");
  await explorer.send("200 OK");
  for (
    const [text, count] of [
      ["Fern", "13 of 198 plants"],
      ["", "198 plants"],
      ["no such plant", "No matches"],
    ]
  ) {
    await filter.fill(text!);
    assertEquals(await explorer.text("#count"), count);
  }
  assertEquals(await explorer.cards.count(), 0);
  await explorer.check("no-matches");
  await explorer.send("304 Not Modified");
  assertEquals(await filter.inputValue(), "");
  await explorer.press("Show more (174 left)");
  assertEquals(await explorer.cards.count(), 48);
  await explorer.check("all-plants");
  await explorer.press("orchid 12");
  assertEquals(await explorer.text("#count"), "12 of 198 plants");
  assertEquals(await explorer.cards.count(), 12);
  await explorer.press("orchid 12");
  assertEquals(await explorer.cards.count(), 24);
  await explorer.close();
});

test("the keyboard is enough", async (t) => {
  const { explorer, page } = await open(t);
  /** Moves to the element with this name; each one shows the focus. */
  async function tabTo(name: string): Promise<void> {
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press("Tab");
      const focus = await page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement;
        const label = element.labels?.[0] ?? element;
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        return {
          name: label.textContent?.trim(),
          outline: `${outlineStyle} ${outlineWidth}`,
        };
      });
      assertEquals(focus.outline, "solid 2px", focus.name ?? "");
      if (focus.name === name) return;
    }
    throw new Error(`the focus did not reach ${name}`);
  }
  /** Presses a key and waits for the result. */
  async function send(key: string, title: string): Promise<void> {
    await page.keyboard.press(key);
    await explorer.see("#result .status", title);
  }

  await tabTo("Limit");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("30");
  await tabTo("demo-florist");
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await send("Enter", "200 OK");
  await tabTo("Invalid limit");
  await send("Enter", "400 Bad Request");
  await tabTo("Try limit 30");
  await send("Enter", "304 Not Modified");
  await tabTo("Show more (6 left)");
  await page.keyboard.press("Enter");
  assertEquals(
    await explorer.text("#list li:focus"),
    await explorer.cards.nth(24).innerText(),
  );
  await explorer.close();
});

test("names and tags are shown as text", async (t) => {
  const name = "<img src=x onerror=alert(1)>";
  const long = "Llanfairpwllgwyngyll".repeat(10);
  const plants = [
    { name, tag: "<b>'\"" },
    { name: 'a":"b' },
    { name: long, tag: long },
    { name: "سرخس", tag: "درخت" },
  ];
  const { explorer, page } = await open(t, { plants });
  await explorer.send("200 OK");
  assertEquals(await explorer.cards.allInnerTexts(), [
    `${name}\n<b>'"`,
    'a":"b\nNo tag',
    `${long}\n${long}`,
    "سرخس\nدرخت",
  ]);
  assertEquals(
    await explorer.cards.evaluateAll((cards) =>
      cards.map((card) => getComputedStyle(card).direction)
    ),
    ["ltr", "ltr", "ltr", "rtl"],
  );
  assertEquals(await page.locator("main img, main b b").count(), 0);
  assertEquals(JSON.parse(await explorer.text("#body-text")), plants);
  await explorer.check("odd-names");
  await explorer.close();
});

/** Responses without a reason phrase, as in HTTP/2, and what the page shows. */
const RESPONSES = [
  [200, "<h1>Hello</h1>", /^200 OK\s+.*another service/],
  [200, "[1]", /another service/],
  [200, '[{"name":"Ficus","tag":1}]', /another service/],
  [200, '[{"name":"Ficus"}]', /^200 OK\s+.* This is the only plant that/],
  [400, '{"error":400}', /^400 Bad Request\s+.*another service/],
  [
    400,
    '{"error":500,"message":"Cannot list the plants"}',
    /^400 Bad Request\s+Cannot list the plants\s+.*the server failed/,
  ],
  [408, "{}", /^408 Request Timeout\s+.*too long to arrive/],
  [417, "{}", /^417 Expectation Failed\s+.*an Expect header/],
  [418, "{}", /^418\s+.*another service/],
  [502, "<h1>Bad gateway</h1>", /^502\s+.*the server failed/],
  [
    503,
    '{"error":503,"message":"Try again in a second"}',
    /^503 Service Unavailable\s+Try again in a second\s+.*the server failed/,
  ],
] as const;

test("each response is explained", async (t) => {
  const { explorer, page } = await open(t);
  for (const [status, body, expected] of RESPONSES) {
    await page.evaluate(([status, body]) => {
      const headers = { etag: '"1"' };
      globalThis.fetch = () =>
        Promise.resolve(new Response(body, { status, headers }));
    }, [status, body] as const);
    await explorer.send(expected);
  }
  await page.evaluate(() => {
    globalThis.fetch = () =>
      Promise.reject(new DOMException("", "TimeoutError"));
  });
  await explorer.send(/^No response\s+.* within 30 seconds, so there is no/);
  await explorer.close();
});

/** Values of a field, the result, and what the page suggests to try next. */
const FIXES = [
  ["Limit", "0", /^200 OK\s+.* because the limit is 0\.$/, ""],
  ["Limit", "1", /This is the first plant that its user can see\.$/, ""],
  ["Limit", "1e3", /^400 Bad Request/, "Try limit 12"],
  ["Limit", "9".repeat(9000), /^414 URI Too Long/, "Try limit 12"],
  ["Method", "OPTIONS", /^204 No Content\s+The Allow header/, ""],
  ["Method", "HEAD", /^200 OK\s+HEAD returns the same headers as GET/, ""],
  ["Method", "DELETE", /^405 Method Not Allowed/, "Try method GET"],
  ["Path", "/healthz", /^200 OK\s+This path exists, but it does not/, ""],
  ["Path", "/Plants", /^404 Not Found/, "Try path /plants"],
  ["Token", "Bearer x", /without "Bearer"/, "Try token demo-curator"],
  ["Token", "a".repeat(20_000), /^431 /, "Try token demo-curator"],
] as const;

test("the result says what to try next", async (t) => {
  const { explorer, page } = await open(t);
  for (const [label, value, expected, fix] of FIXES) {
    const field = explorer.field(label);
    if (label === "Method") await field.selectOption(value);
    else await field.fill(value);
    await explorer.send(expected);
    if (fix) await explorer.send(/^200 OK|^304 Not Modified/, fix);
    else assertEquals(await page.locator("#result button").count(), 0);
  }
  for (const value of ["ключ", "a\u0001b"]) {
    await explorer.field("Token").fill(value);
    await explorer.send(/^Request not sent\s+The token contains characters/);
  }
  await explorer.check("not-sent");
  await explorer.field("Token").fill("private");
  await explorer.send("401 Unauthorized", "No token");
  await explorer.send("401 Unauthorized", "Try your token");
  assertEquals(await explorer.field("Token").inputValue(), "private");
  await explorer.close();
});

test("the latest of several requests wins", async (t) => {
  const { explorer, page } = await open(t);
  const gate = createGate();
  await page.route("**/plants?limit=12", async (route) => {
    await gate.opened;
    await route.continue();
  });
  await explorer.press("Send");
  await explorer.see("#result", "Waiting for the response…");
  await explorer.check("waiting");
  await explorer.field("Limit").fill("2");
  await explorer.send(/the first 2 plants/);
  const late = page.waitForResponse(/limit=12/);
  gate.open();
  await (await late).finished();
  await explorer.send(/^304 Not Modified/);
  assertEquals(await explorer.cards.count(), 2);
  await explorer.field("Limit").fill("12"); // the late response is not cached
  assert(!(await explorer.text("#request-headers")).includes("If-None-Match"));
  await explorer.close();
});
