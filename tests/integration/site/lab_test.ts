import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { readReply } from "../../../site/lab/reply.ts";
import { call } from "../../support/cli.ts";
import { makeFolder } from "../../support/files.ts";
import { runProgram, startProgramFor } from "../../../tools/start_program.ts";
import { createLesson } from "../../../tools/lesson.ts";
import type { Locator, Page } from "playwright-core";
import { Tab } from "../browser/browser.ts";
import { startHost } from "./host.ts";

const host = await startHost({ after });
const lesson = await createLesson();

/** The code after each step of the tutorial. */
const STEPS = [1, 2, 3, 4].map((step) =>
  lesson.get(`examples/lesson/step-${step}/handler.mjs`)!
);
const FINISHED = STEPS[3]!;
const ALL = "14 of 14 test cases passed";

/** A script that makes time limits longer: on a busy machine, right code can exceed them. */
const PATIENCE = `{
  const { setTimeout } = globalThis;
  globalThis.patience = 100;
  globalThis.setTimeout = (run, ms, ...args) =>
    setTimeout(run, ms < 2_000 ? ms : globalThis.patience * ms, ...args);
}`;

/**
 * Lets the lab have patience, or for code with an endless loop, this part of its own
 * time limits.
 */
async function limit(page: Page, result = "", loop = 1): Promise<void> {
  const patience = /\btook\b|longer/.test(result) ? loop : 100;
  await page.evaluate(`globalThis.patience = ${patience}`);
}

/** Opens the lab, or another page with an address that is relative to the site. */
async function open(address = "lab", { width = 1366, height = 768 } = {}) {
  const options = { viewport: { width, height } };
  const tab = await Tab.open(host.url + address, options, PATIENCE);
  const { page } = tab;
  const editor = page.getByRole("textbox", { name: "handler.mjs" });
  const passes = (result: string | RegExp) => tab.see(".report", result);
  const choose = (name: string) => tab.field("Step").selectOption(name);
  if (address === "lab") await passes("1 of 14");
  return { tab, page, editor, passes, choose };
}

/** Replaces the code. With `fill`, the editor can restore its own selection. */
async function write(editor: Locator, code: string) {
  await editor.press("Control+a");
  await editor.page().keyboard.insertText(code);
}

/** Starts of a handler as beginners write them, and what the lab says about each. */
const MISTAKES = [
  [
    "  Response.json(plants);",
    'GET /plants reached no return with a value; request.method is "GET", and request.url is "http://localhost/plants"',
  ],
  ['  return "plants";', 'GET /plants returned "plants" instead of a Response'],
  [
    "  for (;;);",
    "GET /plants took longer than 2 seconds; is there an endless loop?",
  ],
  ["  return plants;", "GET /plants returned an array instead of a Response"],
  ["  return Response.json(plants;", "SyntaxError: ", "Go to line 2"],
  ["  if (plants) {", "SyntaxError: ", "Go to line 4"],
  ["  return Response.json(plnts);", "plnts is not defined", "Go to line 2"],
] as const;

/** The steps, and what their first code passes. */
const COURSE = {
  "step-1": "0 of 14", // after the mistakes
  "step-2": "19 of 53",
  "step-3": "60 of 91",
  "step-4": "91 of 96",
  "exercise-1": "96 of 96",
  "exercise-2": "96 of 105",
  "exercise-3": "105 of 119",
};

for (const width of [1366, 390]) {
  const isPhone = width < 500;
  test(`the keyboard alone is enough for the course at ${width} pixels`, async () => {
    const { tab, page, passes } = await open("lab", { width, height: 800 });
    /** Replaces the code, and on a phone, first shows it. */
    async function replace(code: string) {
      if (isPhone) {
        await tab.tabTo(page.locator("[name=panel]"));
        while (!await page.locator("[value=code]").isChecked()) {
          await page.keyboard.press("ArrowRight");
        }
      }
      await tab.tabTo(page.locator(".cm-content"), "Shift+Tab");
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(code);
    }
    const tests = page.locator(".tests");
    const place = await tests.boundingBox();
    // On a phone, the shorter errors are shown in the same way.
    const shown = isPhone ? MISTAKES.slice(0, 1) : MISTAKES;
    for (const [line, error, button = ""] of shown) {
      await limit(page, error);
      await replace(`export function handler(request, plants) {\n${line}\n}\n`);
      await passes(/^0 of 14/);
      await tab.see(".report", button);
      await tab.see(".report span", error);
      assertEquals(await tests.boundingBox(), place); // no error moves the tests
    }
    await limit(page);
    await tab.check("error", [width]);
    // On a phone, the other steps have the same controls.
    const last = isPhone ? "step-3" : "exercise-3";
    for (const [name, before] of Object.entries(COURSE)) {
      // Two steps in a row can show the same count.
      await page.waitForFunction(
        (step) => document.querySelector("select")!.value === step,
        name,
      );
      await passes(`${before} test cases passed`);
      const folder = name.replace("exercise-1", "step-4");
      const file = `examples/lesson/${folder}/handler.mjs`;
      await replace(`${await readFile(file, "utf8")}// mine\n`);
      const [, all] = before.split(" of ");
      await passes(`${all} of ${all} test cases passed`);
      if (name === last) break;
      await tab.tabTo(page.locator(".report button"));
      await page.keyboard.press("Enter");
      await tab.see(".task:focus h2", /^(?:[234]\.|Exercise)/);
    }
    if (!isPhone) await tab.see(".report", "You have finished the course");
    await tab.close();
  });
}

test("on a laptop, 25 lines of code and five tests are in view", async () => {
  const { tab, page, choose } = await open();
  /** Counts the elements that are in view in a panel. */
  const count = (panel: string, each: string) =>
    page.locator(panel).evaluate((element, each) => {
      const { bottom } = element.getBoundingClientRect();
      return [...element.querySelectorAll(each)]
        .filter((row) => row.getBoundingClientRect().bottom <= bottom).length;
    }, each);
  // A long task, and long code
  for (const [name, plants] of [["step-1", 0], ["exercise-2", 7]] as const) {
    await choose(name);
    await tab.see(".test[open]", `The number of plants is ${plants}`);
    const tests = await count(".tests", ":first-child > .test > summary");
    assert(tests >= 5, `${name}: ${tests}`);
  }
  const lines = await count(".code", ".cm-line");
  assert(lines >= 25, `${lines}`);
  await tab.close();
});

test("the handler responds to requests, and the console shows what it prints", async () => {
  const { tab, page, editor, passes } = await open("lab#step-2");
  const log = 'console.log("called", plants.length, undefined, NaN, request);';
  const code = STEPS[1]!.replace("{\n", `{\n  ${log}\n`);
  await write(editor, `console.log("loaded");\n${code}`);
  await passes("53 of 53");
  await page.locator(".tabs label", { hasText: "Request" }).click();
  await tab.press("Send");
  await tab.see(".request pre", /^HTTP\/1.1 200 OK[^]*Helianthus annuus/);
  await page.locator(".task plant-run button").first().click();
  await tab.see(".task plant-run", "match the output above: 3 of 3");
  await tab.field("Request to send").fill("..");
  await tab.press("Send");
  await tab.see(".request", "Write the first line as GET /path");
  await page.locator(".tabs label", { hasText: "Console" }).click();
  await tab.see(
    ".console li[data-count]",
    'called 4 undefined NaN {"method":"GET"',
  );
  await tab.see(".console li", "loaded");
  const shown = await page.getByText("Show the code").locator("..")
    .allTextContents();
  const pattern = /^\/\*\* Returns the bearer token[^]*^\/\/ \.\.\.$/m;
  assertMatch(shown.join(), pattern);
  assert(!/^[-+@]/m.test(shown.join()), "marks of a diff");
  await tab.press("Reset");
  await passes("19 of 53");
  assertEquals(await page.locator(".task plant-run details").count(), 0);
  await tab.check("console", [320, 1440, 390, 768]);
  await tab.close();
});

test("a failure shows what differs, the user, the request, and the response", async () => {
  const { tab, page, editor, passes, choose } = await open("lab#step-2");
  const wrong = STEPS[1]!.replace("WWW-Authenticate", "WWW-Authentication");
  await write(editor, wrong);
  await passes("35 of 53");
  await tab.see(
    ".test[open]",
    "The header www-authenticate is missing, but should be a Bearer challenge.",
  );
  await tab.see(".test[open]", "The tests have their own plants and users.");
  await tab.see(".test[open] pre", /^GET \/plants[^]*HTTP\/1.1 401 Unauth/);
  await page.getByText("Every 401 has a Bearer challenge").last().click();
  await tab.see(".test[open]", /The same applies to \d+ other responses/);
  await tab.check("results", [320, 1440, 390, 768]);
  await page.setViewportSize({ width: 1366, height: 768 });
  await write(editor, STEPS[1]!.replace("tags.includes(tag)", "false"));
  await tab.see(
    ".test[open]",
    '{"ferns":{"plants":{"tags":["fern"]},"tokens":["te',
  );
  await tab.press("Send this request");
  await tab.see(".request [role=status]", "200 OK");
  // The ETag is the one that the test sent.
  await choose("exercise-3");
  const file = await readFile("examples/lesson/exercise-3/handler.mjs", "utf8");
  await write(editor, file.replace('ETag: `"', 'ETag: `W/"'));
  await passes("119 of 119");
  await page.getByText("If-None-Match with the ETag returns 304").click();
  await tab.see(".test[open] pre", /^GET[^]*If-None-Match: W\/"\w{64}"\n/);
  await tab.press("Send this request");
  await tab.see(".request [role=status]", "304 Not Modified");
  await tab.close();
});

/** Mistakes in the code of a step, and the test case that finds each. */
const FAULTS = [
  [
    "step-1",
    "return Response.json(plants)",
    "return () => Response.json(plants)",
    "GET /plants returned a function instead of a Response",
  ],
  [
    "step-1",
    "Response.json(plants)",
    "Response.json(JSON.stringify(plants))",
    'The body is "',
  ],
  [
    "step-1",
    'url.pathname !== "/plants"',
    'request.url.split("?")[0] !== "http://localhost/plants"',
    "The host of request.url has no effect",
  ],
  [
    "step-1",
    '"Cache-Control": "no-store", ',
    "",
    "The header cache-control is missing, but should be no-store.",
  ],
  [
    "step-2",
    ', { "WWW-Authenticate": challenge }',
    "",
    "A request without an Authorization header returns 401",
  ],
  [
    "step-3",
    "!/^\\d+$/.test(limit)",
    '!(limit !== "" && limit % 1 === 0 && limit >= 0)',
    "?limit=0x2 returns 400",
  ],
  [
    "exercise-3",
    'import { createHash } from "node:crypto";',
    "",
    "createHash is not defined",
  ],
  [
    "exercise-3",
    '`"${hash(JSON.stringify(list))}"`',
    "hash(JSON.stringify(list))",
    ", but should be an ETag in double quotes.",
  ],
  [
    "exercise-3",
    "return createHash",
    "crypto.subtle;\nreturn createHash",
    "the lab has no crypto.subtle; use node:crypto",
  ],
  ["exercise-3", '.digest("hex")', ".digest()", 'digest("hex")'],
] as const;

test("the test cases of a step check what its page teaches", async () => {
  const { tab, page, editor, passes, choose } = await open();
  for (const [step, from, to, result] of FAULTS) {
    await choose(step);
    const code = await readFile(`examples/lesson/${step}/handler.mjs`, "utf8");
    assert(code.includes(from), from);
    await write(editor, code.replace(from, to));
    await tab.see(":is(.report, .test[open])", result);
  }
  const file = await readFile("examples/lesson/exercise-3/handler.mjs", "utf8");
  const other = file.replace("{ createHash }", "crypto")
    .replace(" createHash(", " crypto.createHash(");
  await write(editor, other);
  await passes("119 of 119");
  // An error in response to a request of a later step matters only if it ends the run.
  await choose("step-1");
  for (
    const [statement, result] of [
      ["undefined.x", "Next step"],
      ["for (;;)", "DELETE /plants took longer than 2 seconds"],
    ]
  ) {
    await limit(page, result);
    const line = `if (request.method === "DELETE") ${statement};`;
    await write(editor, STEPS[0]!.replace("{\n", `{\n  ${line}\n`));
    await tab.see(".report :is(button, span)", result!);
  }
  await tab.close();
});

test("the next step starts with a sample, or with the learner's code", async () => {
  const phone = { width: 390, height: 500 };
  const { tab, page, editor, passes, choose } = await open("lab", phone);
  const showCode = () =>
    page.locator(".tabs label", { hasText: "Code" }).click();
  assert(!await page.locator(".sample").isVisible());
  await showCode();
  await write(editor, `${STEPS[0]}// mine\n`);
  await passes(ALL);
  const focused = await tab.button("Next step").evaluate(
    (button: HTMLElement) => {
      button.click();
      return document.activeElement!.querySelector("h2")!.textContent;
    },
  );
  assertEquals(focused, "2. Authenticate users"); // and not the previous task
  await tab.see(".sample", "Your code is still at “1. Route requests”.");
  await tab.press("Use my code");
  await tab.see(".cm-content", "// mine");
  assert(!await page.locator(".sample").isVisible());
  await tab.press("Undo");
  await tab.see(".sample", "This step starts with sample code.");
  await tab.press("Undo");
  await tab.see(".report", "There is nothing to undo.");
  const scroller = page.locator(".cm-scroller");
  await scroller.evaluate((element) => element.scrollTop = 100);
  assertEquals(await scroller.evaluate(({ scrollTop }) => scrollTop), 100);
  await choose("step-1");
  await showCode();
  await tab.see(".cm-content", "// mine");
  assertEquals(await scroller.evaluate(({ scrollTop }) => scrollTop), 0);
  await tab.close();
});

test("during a run, only its own results look new, and it has a time limit", async () => {
  const { tab, page, editor, passes } = await open("lab#exercise-3");
  await tab.press("Solve");
  await passes("119 of 119");
  const seen = await page.evaluateHandle(() => {
    const report = document.querySelector(".report")!;
    const seen: string[] = [];
    new MutationObserver(() => {
      const rows = document.querySelectorAll(".test:not(.old)");
      seen.push(`${report.textContent} ${rows.length} new`);
    }).observe(report, { childList: true });
    // The 20 seconds are over after nine test cases.
    const { setTimeout } = globalThis;
    globalThis.setTimeout = ((run: () => void, ms: number) => {
      if (ms !== 20_000) return setTimeout(run, ms);
      return setInterval(() => seen.at(-1)?.startsWith("9 ") && run(), 10);
    }) as typeof setTimeout;
    return seen;
  });
  const pause = "await new Promise((resolve) => setTimeout(resolve, 100));";
  const slow = FINISHED.replace("export", "export async")
    .replace("{\n", `{\n${pause}\n`);
  await write(editor, slow);
  await passes("the test cases took longer than 20 seconds");
  assert(await page.locator("[data-result=skipped]").count() > 0);
  for (const count of [0, 1, 9]) {
    const text = `${count} of 119 Running… ${count} new`;
    assert((await seen.jsonValue()).includes(text), text);
  }
  await tab.close();
});

/** Code that is wrong in unusual ways, and what the lab reports. */
const ODD = [
  ["(() => { for (;;); })()", "handler.mjs took longer than 2 seconds"],
  ["() => { for (const a = [];;) a.push(Array(1e6).fill(0.5)); }", "took"],
  ["() => { for (;;) postMessage([1, {}]); }", "longer than 2 seconds"],
  ["(postMessage(1), () => 1);", "took longer than 2 seconds"],
  ['1; import "node:fs";', "the lab has only createHash from node:crypto"],
  ["() => null;", "returned null instead of a Response"],
  [
    '1; import { hash } from "node:crypto";',
    "the lab has only createHash from node:crypto",
  ],
  ["() => ({ __proto__: Response.prototype });", "TypeError: "],
] as const;

test("the lab survives", async (t) => {
  const { tab, page, editor, passes } = await open();
  for (const [code, result] of ODD) {
    await t.test(code, async () => {
      await limit(page, result, 0.25);
      await write(editor, `export const handler = ${code}`);
      await passes("0 of 14 test cases passed");
      await tab.see(".report", result);
      await limit(page);
      await write(editor, FINISHED);
      await passes(ALL);
    });
  }
  await tab.close("node:fs");
});

test("a shared link runs only after its button, and own code can be restored", async () => {
  const { tab, page, editor, passes } = await open();
  await write(editor, FINISHED);
  await passes(ALL);
  const link = await tab.copy(tab.button("Copy link"));
  await passes("Copied");
  await write(editor, "// own");
  await page.goto("about:blank");
  await page.goto(link);
  await tab.see(".foreign", "This code is from a link");
  await editor.press("Control+Home");
  await page.keyboard.type("x");
  await page.waitForTimeout(1_000); // longer than the pause before a run
  assertMatch(await editor.innerText(), /^const MAX_LIMIT/); // read-only
  assert(await tab.button("Reset").isDisabled()); // it would replace own code
  assertEquals(page.frames().length, 1); // the sandbox was not even loaded
  await tab.check("link", [390]);
  await page.setViewportSize({ width: 1366, height: 768 });
  await page.getByText("Skip to content").press("Enter"); // the code stays
  await tab.press("Run this code");
  await passes(ALL);
  await page.reload();
  await passes(ALL);
  await tab.press("Undo");
  await tab.see(".cm-content", "// own");
  await page.evaluate(() => location.hash = "#step-1,code=damaged");
  await tab.see(".cm-content", "// The link is damaged.");
  await tab.press("Open my code");
  await tab.see(".cm-content", "// own");
  await tab.close();
});

test("the code stays in the browser, and Undo reverts Reset, also after a reload", async () => {
  const { tab, page, passes, choose } = await open("");
  await page.locator("main").getByRole("link", { name: "lab" }).first().click();
  await passes("1 of 14"); // without a reload, so with the policy of the home page
  await choose("step-3");
  await passes("60 of 91");
  await tab.press("Solve");
  await passes("91 of 91");
  await page.reload();
  await passes("91 of 91");
  for (const isReloaded of [false, true]) {
    await tab.press("Reset");
    await passes("60 of 91");
    if (isReloaded) await page.reload();
    await tab.press("Undo");
    await passes("91 of 91");
  }
  await choose("step-2");
  await passes("19 of 53");
  await choose("exercise-1");
  await passes("96 of 96 test cases passed"); // before anything is done
  await choose("step-3");
  await passes("91 of 91");
  assertEquals((await tab.texts("option")).slice(1, 5), [
    "2. Authenticate users",
    "3. Validate input ✓",
    "4. Test the handler",
    "Exercise 1: Predict the status",
  ]);
  await tab.close();
});

test("two tabs do not overwrite each other, and a full storage is reported", async () => {
  const { tab, page, editor } = await open();
  const other = await page.context().newPage();
  await other.goto(`${host.url}lab`);
  const second = other.getByRole("textbox", { name: "handler.mjs" });
  await write(second, "// an hour");
  await tab.see(".cm-content", "// an hour");
  await editor.press("Control+End");
  await page.keyboard.type(" and more");
  await other.locator(".cm-content", { hasText: "an hour and more" }).waitFor();
  assert(!await page.locator(".unsaved").isVisible());
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new Error("full");
    };
  });
  await page.keyboard.type("!");
  await tab.see(".unsaved", "does not store your code");
  await tab.close();
});

test("the keyboard leaves the editor, and one live region has the count", async () => {
  const { tab, page, editor } = await open();
  const focused = editor.and(page.locator(":focus"));
  await editor.press("Control+Home");
  await editor.press("Tab");
  assert((await editor.innerText()).startsWith("  "));
  assert(await focused.isVisible());
  await editor.press("Escape");
  await page.keyboard.press("Tab");
  assert(!await focused.isVisible());
  const live = page.locator("[role=status], [role=alert], [aria-live], output");
  const visible = live.filter({ visible: true });
  const buttons = page.locator(".task plant-run"); // each has its own region
  assertEquals(await visible.count(), 1 + await buttons.count());
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => scrollTo(0, 0));
  const { y, height } = (await page.locator(".report").boundingBox())!;
  assert(y + height <= 844, "a phone does not show the count");
  await tab.close();
});

test("Download gives files that run, and that the command line grades", async (t) => {
  const { tab, page, editor, passes } = await open();
  await write(editor, FINISHED);
  await passes(ALL);
  const download = page.waitForEvent("download");
  await tab.press("Download");
  const folder = await makeFolder(t);
  const archive = join(folder, (await download).suggestedFilename());
  await (await download).saveAs(archive);
  const students = join(folder, "students");
  await runProgram("python3", ["-m", "zipfile", "-e", archive, students]);
  const options = { cwd: join(students, "my-store"), env: { PORT: "0" } };
  const server = startProgramFor(t, "node", ["server.mjs"], options);
  const [, url] = await server.until("stdout", /^Listening on (.*)\n/);
  const headers = { Authorization: "Bearer demo-florist" };
  assertMatch(await (await fetch(url!, { headers })).text(), /Monstera/);
  const env = { NODE_TEST_CONTEXT: undefined };
  await runProgram("node", ["--test"], { ...options, env });
  const { stdout } = await call(["grade", students]);
  assertMatch(stdout, /^my-store +73 of 73$/m);
  await tab.close();
});

/** What code tries to reach, at URL in the last five attempts. */
const ATTEMPTS = `
const until = (target, type) => new Promise((resolve, reject) => {
  target["on" + type] = resolve;
  target.onerror = reject;
});
const attempts = {
  storage: () => localStorage.setItem("attempt", "1"),
  cookies: () => { document.cookie = "attempt=1"; },
  database: () => until(indexedDB.open("attempt"), "success"),
  caches: () => caches.open("attempt"),
  serviceWorker: () => navigator.serviceWorker.getRegistrations(),
  page: () => parent.document.title,
  fetch: () => fetch("URL/fetch"),
  opaque: () => fetch("URL/opaque", { mode: "no-cors" }),
  events: () => until(new EventSource("URL/events"), "open"),
  socket: () => until(new WebSocket("URL/socket"), "open"),
  import: () => import("URL/import"),
};
async function attempt() {
  const run = async ([name, run]) => (await run(), name);
  const all = await Promise.allSettled(Object.entries(attempts).map(run));
  return all.map(({ value }) => value).filter(Boolean).join();
}
`;

test("the handler reaches no storage, cookies, other origins, and service workers", async () => {
  const { page, editor, tab } = await open();
  const code = ATTEMPTS.replaceAll("URL/", `${host.url}attempt/`);
  const handler = "async () => { throw `reached: ${await attempt()}.`; }";
  await write(editor, `${code}\nexport const handler = ${handler};`);
  await tab.see(".report", "reached: .");
  const received = () =>
    [...host.paths].filter((path) => /^attempt/.test(path));
  assertEquals(received(), []);
  assertEquals(await page.context().cookies(), []);

  // Outside of the sandbox, the same code reaches everything; the host responds 404.
  const reached = await page.evaluate<string>(`${code} attempt()`);
  assertEquals(reached.split(",").length, 8);
  assertEquals(received().length, 5);
  await page.context().close();
});

test("the page in the frame runs no code without its sandbox, or for other windows", async () => {
  const { page, editor, passes } = await open();
  const replies = await page.evaluate(async () => {
    const { src } = document.querySelector("iframe")!;
    const found: boolean[] = [];
    for (const flags of ["", " allow-same-origin"]) {
      const frame = document.createElement("iframe");
      frame.setAttribute("sandbox", `allow-scripts${flags}`);
      frame.src = src;
      document.body.append(frame);
      await new Promise((resolve) => frame.onload = resolve);
      const { port1, port2 } = new MessageChannel();
      let isReceived = false;
      port1.onmessage = () => isReceived = true;
      frame.contentWindow!.postMessage({ code: "", data: {} }, "*", [port2]);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      found.push(isReceived);
    }
    // Messages of other windows change nothing.
    setInterval(() => postMessage([0, { error: "forged" }]), 1);
    return found;
  });
  assertEquals(replies, [true, false]); // whether the worker replies
  await write(editor, FINISHED);
  await passes(ALL);
  await page.context().close();
});

test("a reply contains only texts and numbers of a limited size", () => {
  for (const value of [undefined, null, 1, "text", []]) {
    const { error, status, headers, body } = readReply(value);
    assertEquals([error, status, headers, body], ["", 0, [], ""]);
  }
  const reply = readReply({
    error: "x".repeat(2_000_000),
    line: "1",
    column: 1.5,
    status: { valueOf: () => 200 },
    headers: Array(1_000).fill([{}, "value", "more"]),
  });
  assertEquals(reply.error.length, 1_000_000);
  assertEquals([reply.line, reply.column, reply.status], [0, 0, 0]);
  assertEquals(reply.headers, Array(100).fill(["", "value"]));
});

test("the lab is small, and no other page loads it", async () => {
  const { tab } = await open();
  assert(tab.requests.some((request) => request.url().endsWith("lab-frame/")));
  const size = await tab.countBytes();
  assert(size <= 290_000, `${size} bytes`);
  await tab.close();
  for (const name of ["", "tutorial"]) {
    const { tab, page } = await open(name);
    await page.evaluate(() => customElements.whenDefined("plant-live"));
    await page.waitForLoadState("load");
    const urls = tab.requests.map((request) => request.url());
    assertEquals(urls.filter((url) => url.includes("lab")), []);
    await tab.close();
  }
});

test("an edit during a run ends only that run", async () => {
  const { tab, page, editor, passes } = await open();
  const pause = "for (const end = Date.now() + 50; Date.now() < end;);";
  await write(editor, STEPS[0]!.replace("{\n", `{\n${pause}\n`));
  await page.waitForFunction(() =>
    /^(?:[2-9]|1[0-3]) of 14 Running/
      .test(document.querySelector(".report")!.textContent!)
  );
  const counts = await page.evaluateHandle(() => {
    const report = document.querySelector(".report")!;
    const counts: number[] = [];
    new MutationObserver(() => counts.push(parseInt(report.textContent!)))
      .observe(report, { childList: true });
    return counts;
  });
  await write(editor, STEPS[1]!);
  await passes(/^14 of 14 test cases passed/);
  const seen = (await counts.jsonValue()).filter((count) => count >= 0);
  const edit = seen.indexOf(0);
  assert(edit >= 0);
  assertEquals(seen.slice(edit), seen.slice(edit).sort((a, b) => a - b));
  await tab.close();
});
