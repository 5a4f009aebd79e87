import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { open } from "./browser.ts";

const exec = promisify(execFile);

/** What to press, and the result, which includes what to try next. */
const BUTTONS = [
  ["demo-curator", /^200 OK.*\n.* valid\. These are the first 5 plants that/],
  ["demo-limited", /^429 .*\n.*\nAttempt 1 .* wait 1 s\.\nSend again$/],
  ["demo-unavailable", /^503 .*\n.*\nAttempt 1 .* wait 1 s\.\nSend again$/],
  ["demo-visitor", /^200 OK\n.* is not an error\.$/],
  [
    "No token 401",
    /^401 .*\nNo bearer token.*\nThe request has.*\nTry token demo-v/,
  ],
  ["Unknown token 401", /^401 .*\nInvalid.*\nMalformed, .*\nTry token demo-v/],
  ["Expired token 401", /^401 .*\nInvalid.*\nIn the demo data/],
  ["Invalid limit 400", /^400 .*\nlimit .*"-1"\nThe token.*\nTry limit 5$/],
  ["Unknown path 404", /^404 .*\nNot found.*\nTry path \/plants$/],
  ["DELETE 405", /^405 .*\nMethod.*\nThe path exists.*\nTry method GET$/],
  ["No token 401", /\nTry token demo-visitor$/], // which works
] as const;

test("every button shows an accessible result", async (t) => {
  const { tab, page, server } = await open(t);
  await tab.check("start");
  for (const [name, expected] of BUTTONS) {
    await tab.send(expected, name);
    // The others differ only in their text.
    if (/^demo-limited|^No token/.test(name)) await tab.check(name);
  }
  await tab.send(/^200 OK/, "Try token demo-visitor");
  await tab.field("Send If-None-Match").check();
  await tab.send(/^304 Not Modified\nYour copy .* saved 2 bytes\.$/);
  await page.locator("[name=part][value=headers]").check();
  await tab.check("304, headers");
  await server.close({ shutdownTimeout: 0 });
  await tab.send(/^No response\nThe server is stopped/);
  await tab.check("no response");
  await tab.close();
});

/** Values of a field, the result, and what to press next for a good response. */
const FIELDS = [
  ["Limit", "0", /^200 OK\n.* because the limit is 0\.$/],
  ["Limit", "1", /This is the first plant that its user can see\.$/],
  ["Limit", "", /These are all 198 plants/],
  ["Limit", "1e3", /^400 Bad Request/, "Try limit 5"],
  ["Limit", "9".repeat(9000), /^414 URI Too Long/, "Try limit 5"],
  ["Method", "OPTIONS", /^204 No Content\nThe path exists/],
  ["Method", "HEAD", /^200 OK\nHEAD returns the same headers as GET/],
  ["Path", "/healthz", /^200 .*\n.* does not list plants/, "Try path /plants"],
  ["Path", "/Plants", /^404 Not Found/, "Try path /plants"],
  ["Path", "/plants?limit=3", /the first 3 plants that its user can see\.$/],
  [
    "Path",
    "/plants?limit=1&limit=2",
    /^400 .*\nlimit must appear/,
    "Try limit 5",
  ],
  ["Path", "/plants?limt=2", /ignores "limt"/, "Try path /plants?limit=2"],
  ["Token", "Bearer x", /^401 .*\n.*\n.*without "Bearer"/, "Try your token"],
  ["Token", "Bearer: demo-visitor", /"Bearer"/, "Try token demo-visitor"],
  ["Token", "a".repeat(20_000), /^431 /, "Try token demo-visitor"],
  ["Token", "ключ", /^Request not sent\nThe token contains characters/],
] as const;

/** Responses of other services, and how they are explained. */
const RESPONSES = [
  [200, "<h1>Hello</h1>", /^200 OK\n.*another service/],
  [400, '{"error":500,"message":"Oh"}', /^400 .*\nOh\n.*the server failed/],
  [408, '{"error":408,"message":"Too slow"}', /^408\nToo slow$/],
  [502, "<h1>Bad gateway</h1>", /^502\n.*the server failed/],
] as const;

test("each value of a field and each response is explained", async (t) => {
  const { tab, page } = await open(t);
  for (const [label, value, expected, next] of FIELDS) {
    const field = tab.field(label);
    if (label === "Method") await field.selectOption(value);
    else await field.fill(value);
    await tab.send(expected);
    if (next) await tab.send(/^(?:200|401)/, next);
    else assertEquals(await tab.texts("#result button:visible"), [], value);
    if (label === "Path") await tab.send(/^200 OK/, "demo-curator");
    await tab.field("Path").fill("/plants");
    await tab.field("Method").selectOption("GET");
  }
  await tab.send(/^200 OK/, "demo-curator");
  for (const [status, body, expected] of RESPONSES) {
    await page.evaluate(([status, body]) => {
      globalThis.fetch = () => Promise.resolve(new Response(body, { status }));
    }, [status, body] as const);
    await tab.send(expected);
  }
  await tab.close();
});

test("the history shows the sequence, and Back and Forward return to it", async (t) => {
  const { tab, page, server } = await open(t);
  await tab.send(/Attempt 1 failed/, "demo-flaky");
  await tab.send(/Attempt 2 failed/, "Send again");
  await tab.send(/^200 OK\n.* It took 3 attempts\.$/, "Send again");
  await tab.send(/^401/, "Unknown token 401");
  const shown = (await tab.texts("#exchanges button"))
    .map((text) => text.replace(/ GET .*/, ""));
  assertEquals(shown, [
    "401 Unauthorized unknown-token",
    "200 OK demo-flaky",
    "503 Service Unavailable demo-flaky",
    "503 Service Unavailable demo-flaky",
    "200 OK demo-curator",
  ]);
  for (
    const [go, token, result] of [
      ["goBack", "demo-flaky", "It took 3 attempts"],
      ["goForward", "unknown-token", "401"],
    ] as const
  ) {
    await page[go]();
    await tab.see("#result", result);
    const query = `?method=GET&path=%2Fplants&limit=5&token=${token}`;
    assertEquals(page.url(), server.url + query);
    assertEquals(await tab.field("Token").inputValue(), token);
    assert(await page.locator("#unsent").isHidden());
  }
  await page.locator("#exchanges button").nth(4).click();
  await tab.see("#result", "200 OK");
  // Nothing was sent again.
  assertEquals(await page.locator("#exchanges button").count(), 5);
  for (let at = 0; at < 9; at++) await tab.send(/^200/, "demo-visitor");
  assertEquals(await page.locator("#exchanges button").count(), 8);
  await tab.close();
});

test("a link is sent only with GET, /plants, and a demo token", async (t) => {
  for (
    const [link, first] of [
      ["?limit=ten&token=demo-florist", "400 Bad Request"],
      ["?method=DELETE", "No request sent yet"],
      ["?token=private&other=1&method=PURGE", "200 OK"], // as demo-curator
    ] as const
  ) {
    const { tab, page } = await open(t, { link });
    await tab.see("#result .status", first);
    const token = await tab.field("Token").inputValue();
    assert(!token.includes("private"));
    if (first === "No request sent yet") {
      for (const part of ["body", "plants"]) {
        await page.locator(`[name=part][value=${part}]`).check();
        assert(await page.locator(`#${part}-note`).isHidden(), part);
      }
      await tab.send(/^\d+ /);
    }
    assertMatch(page.url(), new RegExp(`&token=${token}$`));
    await tab.close();
  }
});

test("a private token is masked, and appears neither in the page nor in the address", async (t) => {
  const users = { u: { plants: "all", tokens: ["secret-1"] } };
  const { tab, page } = await open(t, { plants: [], users });
  const hint = "Enter a token of this server. Its operator can create one.";
  await tab.see("form p", hint);
  await tab.see("#result .status", "No request sent yet");
  await tab.check("no demo tokens");
  await tab.field("Token").fill("secret-1");
  await tab.send(/^200 OK\n.*not an error/);
  await tab.send(/^401/, "No token 401");
  await tab.send(/^200/, "Try your token");
  await page.goBack();
  await page.goForward();
  assertEquals(await tab.field("Token").getAttribute("type"), "password");
  assertEquals(await tab.field("Token").inputValue(), "secret-1");
  assert(!(await page.content()).includes("secret-1"));
  assert(!page.url().includes("token"));
  await tab.see("#masked", "The token is hidden here");
  assertMatch(await tab.copy(tab.button("Copy")), /Bearer secret-1"/);
  await tab.check("masked");
  await tab.field("Show").check();
  for (const selector of ["#request-headers", "#snippet"]) {
    assertMatch(await tab.text(selector), /Bearer secret-1/);
  }
  await tab.close();
});

test("while waiting, nothing old is shown, and the latest request wins", async (t) => {
  const { tab, page } = await open(t);
  const release = await tab.hold();
  await tab.press("demo-slow");
  await tab.see("#result", "Waiting…");
  await page.locator("#body").waitFor({ state: "hidden" });
  await tab.check("waiting");
  await tab.button("Cancel").focus();
  await page.keyboard.press("Enter");
  await tab.see("#result", "You stopped waiting");
  assert(await page.locator("#body-note").isHidden());
  assertEquals(await page.evaluate(() => document.activeElement?.id), "send");
  await tab.press("demo-florist");
  await tab.field("Limit").fill("2");
  await tab.press("Send");
  const entry = page.locator("#exchanges button").last();
  await entry.focus();
  release();
  await tab.see("#result", "the first 2 plants");
  await entry.and(page.locator(":focus")).waitFor();
  assertEquals((await tab.text("#body")).split("\n").length, 4);
  await page.evaluate(() => {
    const { timeout } = AbortSignal;
    AbortSignal.timeout = (ms) =>
      timeout.call(AbortSignal, ms === 30_000 ? 50 : ms);
  });
  await tab.send(/^No response\n.* within 30 seconds/, "demo-slow");
  await tab.close();
});

test("the request card and the snippet follow the form", async (t) => {
  const { tab, page } = await open(t);
  for (
    const [label, value, request, snippet] of [
      ["Limit", "5", "GET /plants?limit=5", /-H .*curator" ".*limit=5"$/],
      ["Limit", "", "GET /plants", /curator" "\S+plants"$/],
      ["Path", "//a b#d[1]", "GET //a%20b%23d[1]", /^curl -i -g .*d\[1\]"$/],
    ] as const
  ) {
    await tab.field(label).fill(value);
    assertEquals(await tab.text("#request-line"), request);
    assertMatch(await tab.text("#snippet"), snippet);
    assertEquals(await page.locator("#unsent").isVisible(), value !== "5");
  }
  await tab.send(/^404 Not Found/);
  assert(await page.locator("#unsent").isHidden());
  await tab.close();
});

test("the response and the copied snippets are exact", async (t) => {
  const { tab, page, server } = await open(t);
  const cookie = { name: "session", value: "s3cret", url: server.url };
  await page.context().addCookies([cookie]);
  await tab.field("Limit").fill("2");
  const request = page.waitForRequest(/plants\?limit=2$/);
  await tab.send(/^200 OK/);
  assert(!("cookie" in await (await request).allHeaders()));
  const url = `${server.url}plants?limit=2`;
  const authorization = "Bearer demo-curator";
  const response = await fetch(url, { headers: { authorization } });
  const body = await response.text();
  assertEquals((await tab.text("#body")).replaceAll(/\n */g, ""), body);
  assertEquals(await tab.copy(tab.button("Copy body")), body);
  const rows = page.locator("#response-headers tr, #cors-headers tr");
  const names = await rows.locator("th").allTextContents();
  assertEquals(
    names.map((name) => name.toLowerCase()).sort(),
    [...response.headers.keys()].sort(),
  );

  const copy = async (format: string) => {
    await tab.field("Copy as").selectOption(format);
    return await tab.copy(tab.button("Copy"));
  };
  const run = async (program: string, ...args: string[]) =>
    (await exec(program, args)).stdout;
  assertMatch(await run("sh", "-c", `${await copy("curl")} -sS`), /Monstera/);
  const fetched = await copy("fetch");
  assertMatch(await run("node", "--input-type=module", "-e", fetched), /^200 /);
  const token = "a'b\"c$HOME`d\\e";
  await tab.field("Token").fill(token);
  // This prints its arguments instead of sending the request.
  const stub =
    "class requests:\n  def request(*args, headers): print(*args, headers)";
  const python = (await copy("Python")).replace("import requests", stub)
    .replace(/print\(response.*$/, "");
  assertEquals(
    await run("python3", "-c", python),
    `GET ${url} {'Authorization': 'Bearer a\\'b"c$HOME\`d\\\\e'}\n`,
  );

  // Without a secure context, there is no clipboard API.
  await page.evaluate(() =>
    Object.defineProperty(navigator, "clipboard", { value: undefined })
  );
  await tab.press("Copy");
  await tab.see("#copied", "Copied");
  await tab.field("Limit").press("Control+v");
  assertMatch(await tab.field("Limit").inputValue(), /^import requests.*\)2$/);
  await tab.close();
});

test("odd names are shown as text, and at most 200 plants", async (t) => {
  const long = "Llanfairpwllgwyngyll".repeat(10);
  const odd = [
    { name: "<img src=x onerror=alert(1)>", tag: "<b>'\"" },
    { name: 'a":"b', tag: long },
    { name: "سرخس", tag: "درخت" },
  ];
  const plants = [...odd, ...Array(198).fill({ name: "Ficus" })];
  const { tab, page } = await open(t, { plants, link: "?limit=3" });
  await tab.see("#result", "the first 3 plants");
  assertEquals(JSON.parse(await tab.text("#body")), odd);
  // Each value is isolated, so that punctuation stays in place next to Arabic.
  assertEquals(await page.locator("#body bdi").count(), 6);
  await tab.check("odd body");
  await page.locator("[name=part][value=plants]").check();
  assertEquals(
    await page.locator("#list li").allInnerTexts(),
    odd.map(({ name, tag }) => `${name}\n${tag}`),
  );
  await tab.check("odd names");
  await tab.field("Limit").fill("");
  await tab.send(/^200 OK/);
  assertEquals(await page.locator("#list li").count(), 200);
  await tab.see("#plants-note", "The first 200 plants");
  await tab.close();
});

test("the keyboard is enough", async (t) => {
  const { tab, page } = await open(t);
  const exchange = page.getByRole("button", { name: /^400 Bad Request/ });
  for (
    const [control, keys, result] of [
      [tab.field("Limit"), ["Control+a", "4", "Enter"], "the first 4 plants"],
      [tab.button("demo-florist"), ["Space"], "the first 4 plants"],
      [tab.button("Invalid limit 400"), ["Enter"], "400 Bad Request"],
      [tab.field("Send If-None-Match"), ["Space"], "400 Bad Request"],
      [tab.button("Try limit 4"), ["Enter"], "304 Not Modified"],
      [tab.field("Body"), ["ArrowRight", "ArrowRight"], "Phalaenopsis"],
      [tab.button("Copy"), ["Enter"], "Copied"],
      [exchange, ["Enter"], "400 Bad Request"],
    ] as const
  ) {
    await tab.tabTo(control);
    for (const key of keys) await page.keyboard.press(key);
    await tab.see("#result, #list, #snippet, #copied", result);
  }
  await tab.close();
});

test("an error is not an empty list, and plants need little room", async (t) => {
  const { tab, page } = await open(t);
  await page.locator("[name=part][value=plants]").check();
  await tab.send(/^401/, "Unknown token 401");
  await tab.see("#plants", "This response is not a list of plants.");
  await page.evaluate(() => history.pushState(null, "", "?method=DELETE"));
  await tab.field("Limit").fill("");
  await tab.send(/198 plants/, "demo-curator");
  await page.goBack();
  await tab.see("#result", "No request sent yet");
  assertEquals(await tab.texts("#parts"), ["Body Headers Plants"]);
  await page.goForward();
  await tab.see("#result", "198 plants");
  const { height } = (await page.locator("#response").boundingBox())!;
  assert(height < 900, `${height}`);
  await tab.close();
});

test("the header does not move when its links arrive", async (t) => {
  const { tab, page } = await open(t);
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const [expected, found] = await page.evaluate(() =>
      ["", "none"].map((display) => {
        document.querySelector("nav")!.style.display = display;
        return [...document.querySelectorAll("header > :not(nav)")]
          .map((each) => each.getBoundingClientRect().y);
      })
    );
    assertEquals(found, expected);
  }
  await tab.close();
});

test("on a phone, nothing moves while the page loads", async (t) => {
  const viewport = { width: 390, height: 844 };
  const { tab, page } = await open(t, { viewport });
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      document.title = JSON.stringify(list.getEntries());
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.reload();
  await tab.see("#result", "200 OK");
  assertEquals(await page.title(), "API explorer | Plant Store");
  const release = await tab.hold();
  await page.reload();
  await tab.see("#result", "Waiting");
  release();
  await tab.see("#result", "200 OK");
  assertEquals(await page.title(), "API explorer | Plant Store");
  await tab.close();
});
