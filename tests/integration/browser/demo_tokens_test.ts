import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createMemoryStore } from "../../../mod.ts";
import { explorer } from "../../../src/explorer/explorer.ts";
import { serve } from "../../../src/server/serve.ts";
import { Explorer } from "./browser.ts";
import { open } from "./sample.ts";

// The demo tokens, waiting, retrying, revalidation, and the query in the path.

test("the button of each demo token describes it and sends the request", async (t) => {
  const { explorer } = await open(t);
  const texts = async () =>
    (await explorer.page.locator("#demo button").allTextContents())
      .map((text) => text.replace(/\s+/g, " ").trim());
  const effects = [
    "demo-curator all plants",
    "demo-florist flowers and orchids",
    "demo-visitor no plants",
    "demo-slow all plants, after 2 seconds",
    "demo-flaky 503 for the first two of every three requests",
    "demo-unavailable always 503",
  ];
  assertEquals(await texts(), effects);
  await explorer.send(/first 5 plants/, "demo-florist");
  await explorer.send(/not an error/, "demo-visitor");
  assertEquals((await texts()).slice(0, 3), [
    "demo-curator all plants",
    "demo-florist 5+ flowers and orchids",
    "demo-visitor 0 no plants",
  ]);
  await explorer.field("Limit").fill("");
  await explorer.send(/all 198 plants/, "demo-curator");
  await explorer.send(/all 37 plants/, "demo-florist");
  await explorer.field("Limit").fill("5");
  await explorer.send(/first 5 plants/);
  assertEquals((await texts()).slice(0, 2), [
    "demo-curator 198 all plants",
    "demo-florist 37 flowers and orchids",
  ]);
  await explorer.close();
});

test("a slow response shows progress, and can be canceled", async (t) => {
  const { explorer, page } = await open(t);
  const color = () =>
    page.locator("#result .status").evaluate((element) =>
      getComputedStyle(element).color
    );
  await explorer.send("401", "Unknown token 401");
  const error = await color();
  const release = await explorer.hold();
  await explorer.press("demo-slow");
  assertEquals(await explorer.text("#result .status"), "Waiting…");
  assert(await color() !== error);
  await explorer.check("waiting-slow");
  await explorer.button("Cancel").focus();
  await page.keyboard.press("Enter");
  await explorer.see("#result .status", "Canceled");
  await explorer.see("#result", "You stopped waiting");
  assert(await explorer.button("Cancel").isHidden());
  assertEquals(await page.evaluate(() => document.activeElement?.id), "send");
  await explorer.check("canceled");
  release();
  await explorer.send("200 OK", "demo-curator");
  assert(await explorer.button("Cancel").isHidden());
  await explorer.close();
});

test("the page waits longer than a minute, and then gives up", async (t) => {
  const { explorer, page } = await open(t);
  await page.evaluate(() => {
    const { timeout } = AbortSignal;
    AbortSignal.timeout = (ms) =>
      timeout.call(AbortSignal, ms === 90_000 ? 50 : ms);
  });
  await explorer.send(/^No response\s+.* within 90 seconds/, "demo-slow");
  await explorer.close();
});

test("after 503, the page offers to send again and counts the attempts", async (t) => {
  const { explorer } = await open(t);
  await explorer.send(
    /^503 Service Unavailable\s+The plants are .*\s+Attempt 1 failed\. The Retry-After header says to wait 1 s\.\s+Send again$/,
    "demo-flaky",
  );
  assertEquals(
    await explorer.page.locator("#key-headers th").first().innerText(),
    "Retry-After",
  );
  await explorer.check("flaky");
  await explorer.send(/^503 .*\s+.*\s+Attempt 2 failed\./, "Send again");
  await explorer.send(
    /^200 OK\s+.* can see\. It took 3 attempts\.$/,
    "Send again",
  );
  await explorer.send(/Attempt 1 failed\./);
  await explorer.send(/Attempt 1 failed\./, "demo-unavailable");
  await explorer.send(/Attempt 2 failed\./);
  await explorer.send(/that its user can see\.$/, "demo-curator");
  await explorer.close();
});

test("one control decides whether a request and its snippet are conditional", async (t) => {
  const { explorer, page } = await open(t);
  await page.locator("summary").last().click();
  const isConditional = async (expected: boolean) => {
    for (const selector of ["#request-headers", "#snippet"]) {
      const text = await explorer.text(selector);
      assertEquals(text.includes("If-None-Match"), expected, selector);
    }
    assertEquals(await page.locator("#unsent").isVisible(), expected);
  };
  const control = explorer.field("Send If-None-Match");
  await control.check();
  await isConditional(false); // there is no copy yet
  await control.uncheck();
  for (let index = 0; index < 3; index++) {
    const request = page.waitForRequest(/plants\?limit=5$/);
    await explorer.send("200 OK");
    assertEquals(await (await request).headerValue("if-none-match"), null);
    await isConditional(false);
  }
  await control.check();
  await isConditional(true);
  await explorer.send("304 Not Modified");
  await control.uncheck();
  await explorer.send("200 OK");
  await explorer.close();
});

test("a query in the path is split, and the limit field follows", async (t) => {
  const { explorer, page } = await open(t);
  const path = explorer.field("Path");
  const limit = explorer.field("Limit");
  await path.fill("/plants?limit=3");
  assertEquals(await explorer.text("#request-line"), "GET /plants?limit=3");
  const request = page.waitForRequest(/plants/);
  await path.press("Enter");
  assertMatch((await request).url(), /\/plants\?limit=3$/);
  await explorer.see("#result", "the first 3 plants");
  assertEquals(await path.inputValue(), "/plants");
  assertEquals(await limit.inputValue(), "3");
  await limit.fill("2");
  assertEquals(await explorer.text("#request-line"), "GET /plants?limit=2");

  await path.fill("/plants?a=b&limit=x");
  await explorer.send("400 Bad Request");
  assertEquals(await path.inputValue(), "/plants?a=b");
  assertEquals(await limit.inputValue(), "x");
  assertEquals(await explorer.text("#request-line"), "GET /plants?a=b&limit=x");

  await path.fill("/plants?limit=1&limit=2");
  await explorer.send(/^400 Bad Request\s+limit must appear only once/);
  await explorer.close();
});

test("without demo tokens, the page says where to find a token", async (t) => {
  const store = createMemoryStore({
    plants: [],
    users: { u: { plants: "all", tokens: ["private"] } },
  });
  const server = await serve(store, { port: 0, page: explorer });
  t.after(() => server.close({ shutdownTimeout: 0 }));
  const explorer = await Explorer.open(server.url);
  await explorer.see(
    "form p",
    "Paste the token that plant-store init printed.",
  );
  assertEquals(await explorer.field("Token").inputValue(), "");
  await explorer.check("own-data");
  await explorer.send("401 Unauthorized");
  await explorer.field("Token").fill("private");
  await explorer.send(/^200 OK\s+.*not an error/);
  await explorer.close();
});
