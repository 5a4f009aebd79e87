import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { open } from "./sample.ts";

const exec = promisify(execFile);

/** The states to look at: what to press, and the result. */
const STATES = [
  ["200", ["Send"], /^200 OK\s+The token is valid\..* first 5 plants that/],
  ["empty", ["demo-visitor"], /^200 OK\s+.* is not an error/],
  ["no-token", ["No token 401"], /^401 .*\s+Missing.*\s+The request has no/],
  ["unknown", ["Unknown token 401"], /^401 .*\s+Invalid.*\s+Unknown, revoked/],
  [
    "expired",
    ["Expired token 401"],
    /^401 .*\s+Invalid.*\s+In the sample data/,
  ],
  [
    "limit",
    ["Invalid limit 400"],
    /^400 .*\s+limit .*"-1"\s+The token is valid/,
  ],
  ["path", ["Unknown path 404"], /^404 .*\s+Not found.*\s+Try path \/plants$/],
  ["method", ["DELETE 405"], /^405 .*\s+Method.*\s+The path exists/],
] as const;

test("every state is accessible, in light and dark colors", async (t) => {
  const { explorer, server, start } = await open(t);
  await explorer.checkBoth("start");
  for (const [state, names, expected] of STATES) {
    for (const name of names.slice(0, -1)) await explorer.press(name);
    await explorer.send(expected, names.at(-1));
    await explorer.checkBoth(state);
  }
  await explorer.field("Send If-None-Match").check();
  await explorer.send(
    /^304 Not Modified\s+Your copy .* saved 2 bytes\.$/,
    "Try method GET",
  );
  await explorer.send(
    /^304 Not Modified\s+Your copy .* saved 210 bytes\.$/,
    "demo-curator",
  );
  await explorer.checkBoth("304");
  for (const part of ["headers", "plants"] as const) {
    await explorer.show(part);
    await explorer.checkBoth(part);
  }
  assertEquals(await explorer.cards.count(), 5);

  await server.close({ shutdownTimeout: 0 });
  await explorer.send(/^No response\s+The server is stopped/);
  await explorer.show("body");
  await explorer.see("#body-note", "No body");
  assertEquals(await explorer.cards.count(), 0);
  await explorer.checkBoth("no-response");

  await start(Number(new URL(server.url).port));
  await explorer.send("304 Not Modified");
  await explorer.close();
});

test("the page shows the request and the response as they were sent", async (t) => {
  const { explorer, page, server } = await open(t);
  await explorer.field("Limit").fill("2");
  await explorer.send("200 OK");
  const response = await fetch(`${server.url}plants?limit=2`, {
    headers: { authorization: "Bearer demo-curator" },
  });
  const body = await response.text();
  assertEquals(await explorer.text("#request-line"), "GET /plants?limit=2");
  await explorer.see("#result .figures", /^89 bytes · \d+\.\d ms$/);
  const shown = await explorer.text("#body");
  assertEquals(shown.replaceAll(/\n */g, ""), body);
  assertEquals(await explorer.copy("Copy body", "#body-copied"), body);
  const rows = page.locator("#response-headers tr, #cors-headers tr");
  const headers = await rows.evaluateAll((rows) =>
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
  const previous = page.locator("#previous");
  const unsent = page.locator("#unsent");
  const seeNew = async (isNew: boolean) => {
    assertEquals(await previous.isVisible(), isNew);
    assertEquals(await unsent.isVisible(), isNew);
  };
  await page.locator("summary").last().click();
  const see = async (request: string, snippet: RegExp) => {
    assertEquals(await explorer.text("#request-line"), request);
    assertMatch(await explorer.text("#snippet"), snippet);
  };
  await see("GET /plants?limit=5", /^curl -i -H .*demo-curator" ".*=5"$/);
  await explorer.field("Limit").fill("3");
  await see("GET /plants?limit=3", /limit=3"$/);
  await seeNew(false);
  await explorer.send("200 OK");
  await seeNew(false);
  await explorer.field("Token").fill("demo-florist");
  await seeNew(true);
  await see("GET /plants?limit=3", /Bearer demo-florist"/);
  await explorer.field("Limit").fill("");
  await see("GET /plants", /\/plants"$/);
  await explorer.field("Token").fill("demo-curator");
  await seeNew(true);
  await explorer.field("Limit").fill("3");
  await seeNew(false);
  await explorer.field("Limit").fill("");
  await explorer.field("Path").fill("/a b#d[1]");
  await see("GET /a%20b%23d[1]", /^curl -i -g .*d\[1\]"$|'$/);
  await explorer.field("Path").fill("//other.example/plants");
  await see("GET //other.example/plants", /"http:\/\/127\.0\.0\.1:\d+\/\/o/);
  await explorer.field("Method").selectOption("DELETE");
  await see("DELETE //other.example/plants", /^curl -i -X DELETE /);
  await explorer.field("Method").selectOption("HEAD");
  await see("HEAD //other.example/plants", /^curl -I -H /);
  await explorer.send("404 Not Found");
  await seeNew(false);
  await explorer.close();
});

test("only a private token is masked, and no token is in the URL", async (t) => {
  const { explorer, page, server } = await open(t);
  const token = explorer.field("Token");
  const showToken = explorer.field("Show");
  await page.locator("summary").last().click();
  for (
    const name of ["demo-florist", "Unknown token 401", "Expired token 401"]
  ) {
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
  assertMatch(await explorer.copy("Copy", "#copied"), /Bearer secret-1"/);
  await explorer.check("masked");
  await showToken.check();
  assertEquals(await token.getAttribute("type"), "text");
  assertMatch(await explorer.text("#request-headers"), /Bearer secret-1/);
  assertMatch(await explorer.text("#snippet"), /Bearer secret-1/);
  assert(await page.locator("#masked").isHidden());
  await showToken.uncheck();
  assert(!(await explorer.text("#request")).includes("secret-1"));
  assertEquals(
    page.url(),
    `${server.url}?method=GET&path=%2Fplants&limit=5`,
  );
  await explorer.send("200 OK", "Try token demo-curator");
  await explorer.close();
});

test("copied snippets work", async (t) => {
  const { explorer, page, server } = await open(t);
  await page.locator("summary").last().click();
  const copy = async (format: string) => {
    await explorer.field("Copy as").selectOption(format);
    return await explorer.copy("Copy", "#copied");
  };
  const run = async (line: string) => (await exec("sh", ["-c", line])).stdout;
  const printArguments = (line: string) =>
    run(`show() { printf '%s\\n' "$@"; }; ${line.replace(/^\w+/, "show")}`);

  await explorer.field("Limit").fill("2");
  await explorer.send("200 OK");
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
  await explorer.field("Send If-None-Match").check();
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
  await page.locator("summary").last().click();
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
    "HEAD /healthz?limit=ten",
  );
  await explorer.close();
});

test("at most 200 plants are shown", async (t) => {
  const plants = Array.from({ length: 201 }, (_, index) => ({
    name: `Ficus ${index}`,
  }));
  const { explorer, page } = await open(t, { plants, link: "?limit=" });
  await explorer.show("plants");
  const note = page.locator("#plants-note");
  await explorer.send("200 OK");
  assertEquals(await explorer.cards.count(), 200);
  assertEquals(await note.innerText(), "These are the first 200 plants");
  await explorer.check("all-plants");
  await explorer.field("Limit").fill("200");
  await explorer.send("200 OK");
  assertEquals(await explorer.cards.count(), 200);
  assert(await note.isHidden());
  await explorer.field("Limit").fill("0");
  await explorer.send("200 OK");
  assertEquals(await explorer.cards.count(), 0);
  assertEquals(await note.innerText(), "No plants");
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
          name: label.textContent?.replace(/\s+/g, " ").trim(),
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
  await page.keyboard.type("4");
  await send("Enter", "200 OK");
  assertEquals(await page.evaluate(() => document.activeElement?.id), "limit");
  await tabTo("demo-florist flowers and orchids");
  await send("Space", "200 OK");
  await tabTo("Invalid limit 400");
  await send("Enter", "400 Bad Request");
  await tabTo("Send If-None-Match");
  await page.keyboard.press("Space");
  await tabTo("Try limit 4");
  await send("Enter", "304 Not Modified");
  assertEquals(await page.evaluate(() => document.activeElement?.id), "send");
  await tabTo("Body");
  await page.keyboard.press("ArrowRight");
  assert(await page.locator("#response-headers").isVisible());
  await page.keyboard.press("ArrowRight");
  assertEquals(await explorer.cards.count(), 4);
  await tabTo("Copy as curl, fetch, or HTTPie");
  await page.keyboard.press("Enter");
  await tabTo("Copy");
  await page.keyboard.press("Enter");
  await explorer.see("#copied", "Copied");
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
    { name: "龟背竹", tag: "藤本" },
  ];
  const { explorer, page } = await open(t, { plants, link: "?limit=" });
  await explorer.send("200 OK");
  await explorer.check("odd-body");
  assertEquals(JSON.parse(await explorer.text("#body")), plants);
  // Each value is isolated, so that punctuation stays in place next to Arabic.
  assertEquals(
    await page.locator("#body bdi").allTextContents(),
    plants.flatMap((plant) => Object.values(plant))
      .map((value) => JSON.stringify(value)),
  );
  await explorer.show("plants");
  assertEquals(await explorer.cards.allInnerTexts(), [
    `${name}\n<b>'"`,
    'a":"b\nNo tag',
    `${long}\n${long}`,
    "سرخس\nدرخت",
    "龟背竹\n藤本",
  ]);
  assertEquals(
    await explorer.cards.evaluateAll((cards) =>
      cards.map((card) => getComputedStyle(card).direction)
    ),
    ["ltr", "ltr", "ltr", "rtl", "ltr"],
  );
  assertEquals(await page.locator("main img, main b b").count(), 0);
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
  [404, '{"error":404,"message":"Gone"}', /^404 Not Found\s+Gone$/],
  [408, '{"error":408,"message":"Too slow"}', /^408\s+Too slow$/],
  [414, '{"error":414,"message":"Too long"}', /^414 .*\s+Too long$/],
  [418, "{}", /^418\s+.*another service/],
  [502, "<h1>Bad gateway</h1>", /^502\s+.*the server failed/],
  [
    503,
    '{"error":503,"message":"Try again in a second"}',
    /^503 Service Unavailable\s+Try again in a second\s+Attempt 1 failed\.\s+Send again$/,
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
  await explorer.close();
});

/** Values of a field, the result, and what the page suggests to try next. */
const FIXES = [
  ["Limit", "0", /^200 OK\s+.* because the limit is 0\.$/, ""],
  ["Limit", "1", /This is the first plant that its user can see\.$/, ""],
  ["Limit", "1e3", /^400 Bad Request/, "Try limit 5"],
  ["Limit", "9".repeat(9000), /^414 URI Too Long/, "Try limit 5"],
  ["Method", "OPTIONS", /^204 No Content\s+The path exists/, ""],
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
    if (fix) await explorer.send("200 OK", fix);
    else assertEquals(await page.locator("#result button").count(), 0);
  }
  for (const value of ["ключ", "a\u0001b"]) {
    await explorer.field("Token").fill(value);
    await explorer.send(/^Request not sent\s+The token contains characters/);
  }
  await explorer.check("not-sent");
  await explorer.field("Token").fill("private");
  await explorer.send("401 Unauthorized", "No token 401");
  await explorer.send("401 Unauthorized", "Try your token");
  assertEquals(await explorer.field("Token").inputValue(), "private");
  await explorer.close();
});

test("the latest of several requests wins", async (t) => {
  const { explorer } = await open(t);
  const release = await explorer.hold();
  await explorer.press("Send");
  await explorer.see("#result", "Waiting…");
  await explorer.check("waiting");
  await explorer.field("Limit").fill("2");
  await explorer.press("Send");
  assertEquals(await explorer.text("#result .status"), "Waiting…");
  release();
  await explorer.see("#result", "the first 2 plants");
  await explorer.show("plants");
  assertEquals(await explorer.cards.count(), 2);
  await explorer.field("Send If-None-Match").check();
  await explorer.field("Limit").fill("5"); // there is no copy of it
  assert(!(await explorer.text("#request-headers")).includes("If-None-Match"));
  await explorer.close();
});
