import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { readReply } from "../../../site/lab/reply.ts";
import { call } from "../../support/cli.ts";
import { makeFolder } from "../../support/files.ts";
import { listen } from "../../../tools/port.ts";
import { runProgram, startProgramFor } from "../../../tools/program.ts";
import { createLesson } from "../../../tools/lesson.ts";
import { Tab } from "../browser/browser.ts";
import { startSite } from "./host.ts";

const { host } = await startSite({ after });
const lesson = await createLesson();

/** The code after each step of the tutorial. */
const STEPS = [1, 2, 3, 4].map((step) =>
  lesson.get(`examples/lesson/step-${step}/handler.mjs`)!
);
const FINISHED = STEPS[3]!;
const ALL = "73 of 73 test cases passed.";

/** Opens the lab, or another page with an address that is relative to the site. */
async function open(address = "lab") {
  const tab = await Tab.open(host.url + address);
  const { page } = tab;
  const editor = page.getByRole("textbox", { name: "handler.mjs" });
  const passes = (result: string | RegExp) => tab.see("[role=status]", result);
  const choose = (name: string) =>
    page.locator("[name=start]").selectOption(name);
  if (address === "lab") await passes("19 of 73");
  return { tab, page, editor, passes, choose };
}

test("the lab passes as many test cases in each step as the tutorial says", async () => {
  const tutorial = await readFile("docs/tutorial.md", "utf8");
  const counts = tutorial.matchAll(/passes (?:(\d+) of|all) (73) test cases/g);
  const { tab, editor, passes, choose } = await open();
  for (const code of STEPS) {
    const [, count, all] = counts.next().value!;
    await editor.fill(code);
    await passes(`${count ?? all} of ${all} test cases passed.`);
  }
  assert(counts.next().done);
  await tab.field("Also test headers, caching, and CORS").check();
  await passes("of 158");
  await choose("exercise-3"); // with node:crypto
  await passes("137 of 158");
  await tab.close();
});

test("a failure shows what differs, the request, the response, and the section", async () => {
  const { tab, page } = await open();
  const section = page.locator(".contract > details").nth(1);
  await section.locator("> summary").click();
  const row = section.locator("[data-result=failed]").first();
  await row.locator("summary").click();
  const text = await row.innerText();
  assertMatch(text, /status: expected 401, received 200/);
  assertMatch(text, /curl -i .*\n\nHTTP\/1.1 200 OK\n/);
  await tab.check("results", [320, 390, 768, 1440]);
  for (const link of await page.locator(".contract a").all()) {
    const url = new URL((await link.getAttribute("href"))!, host.url);
    const html = await (await fetch(`${url.origin}${url.pathname}`)).text();
    assert(html.includes(` id="${url.hash.slice(1)}"`), url.href);
  }
  await tab.close();
});

for (
  const [code, result] of [
    ["() => { for (;;); }", "/plants took longer than 2 seconds"],
    ["(() => { for (;;); })()", "handler.mjs took longer than 2 seconds"],
    ["() => { for (const a = [];;) a.push(Array(1e6).fill(0.5)); }", "took"],
    ["() => { for (;;) postMessage([1, {}]); }", "called postMessage"],
    ["\n  [;", /SyntaxError: .*Go to line 2, column 4/],
    ["(_, all) =>\n  all.fit();", /TypeError: .*Go to line 2, column 7/],
    ['1; import "node:fs";', "the lab has only node:crypto"],
    ["() => 1;", "the handler did not return a Response"],
    ["() => ({ __proto__: Response.prototype });", "TypeError: "],
  ] as const
) {
  test(`the lab survives: ${code}`, async () => {
    const { tab, editor, passes } = await open();
    await editor.fill(`export const handler = ${code}`);
    await passes("0 of 73");
    await tab.see(".results", result);
    await tab.check(code, [390]);
    await editor.fill(FINISHED);
    await passes(ALL);
    await tab.close(...code.match(/node:\w+/g) ?? []);
  });
}

test("a shared link runs only after its button, and its edits are kept apart", async () => {
  const { tab, page, editor, passes } = await open();
  await editor.fill(FINISHED);
  await passes(ALL);
  const link = await tab.copy(tab.button("Copy link"));
  await passes("Copied");
  await page.goto("about:blank");
  await page.goto(link);
  await tab.see(".foreign", "This code is from a link");
  await editor.press("Control+Home");
  await page.keyboard.type("// edited\n");
  await page.waitForTimeout(1_000); // longer than the pause before a run
  assertEquals(page.frames().length, 1); // the sandbox was not even loaded
  await tab.check("link", [390]);
  await tab.press("Run this code");
  await passes(ALL);
  await page.reload();
  await tab.see(".cm-content", "// edited");
  assertEquals(page.frames().length, 1);
  await page.evaluate(() => location.hash = "#code=damaged");
  await tab.see(".cm-content", "// The link is damaged.");
  await page.goto(`${host.url}lab`);
  await passes(ALL);
  assert(!(await editor.innerText()).includes("// edited"));
  await tab.close();
});

test("the code stays in the browser, and Reset restores the starting point", async () => {
  const { tab, page, editor, passes, choose } = await open("");
  await page.locator("main").getByRole("link", { name: "lab" }).first().click();
  await passes("19 of 73"); // without a reload, so with the policy of the home page
  await choose("step-3");
  await passes("69 of 73");
  await editor.fill(FINISHED);
  await passes(ALL);
  await page.reload();
  await passes(ALL);
  await tab.press("Reset");
  await passes("69 of 73");
  await editor.press("Control+z");
  await passes(ALL);
  await choose("step-2");
  await passes("52 of 73");
  await choose("step-3");
  await passes(ALL);
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
  assertEquals(await live.filter({ visible: true }).count(), 1);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => scrollTo(0, 0));
  const { y, height } = (await live.last().boundingBox())!;
  assert(y + height <= 844, "a phone does not show the count");
  await tab.close();
});

test("Download gives files that run, and that verify grades", async (t) => {
  const { tab, page, editor, passes } = await open();
  await editor.fill(FINISHED);
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
  const { stdout } = await call(["verify", "--handlers", students]);
  assertMatch(stdout, /^my-store +73 of 73$/m);
  await tab.close();
});

/** What code tries to reach. `SPY` is the URL of a server. */
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
  fetch: () => fetch("SPY/fetch"),
  opaque: () => fetch("SPY/opaque", { mode: "no-cors" }),
  events: () => until(new EventSource("SPY/events"), "open"),
  socket: () => until(new WebSocket("SPY/socket"), "open"),
  import: () => import("SPY/import"),
};
export async function attempt() {
  const run = async ([name, run]) => (await run(), name);
  const all = await Promise.allSettled(Object.entries(attempts).map(run));
  return all.map(({ value }) => value).filter(Boolean).join();
}
`;

/** Starts a server that lists what it receives from any origin. */
async function startSpy(t: TestContext) {
  const paths = new Set<string>();
  const spy = createServer(({ url }, response) => {
    paths.add(url!);
    const type = url === "/events" ? "text/event-stream" : "text/javascript";
    response.setHeader("Content-Type", type);
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.end(url === "/attempts" ? code : "");
  });
  spy.on("upgrade", ({ url }, socket) => socket.destroy() && paths.add(url!));
  const origin = `http://127.0.0.1:${await listen(t, spy)}`;
  const code = ATTEMPTS.replaceAll("SPY", origin);
  return { paths, origin, code };
}

test("the handler reaches no storage, cookies, other origins, and service workers", async (t) => {
  const { paths, origin, code } = await startSpy(t);
  const { page, editor, tab } = await open();
  await editor.fill(`${code}
export const handler = async () => { throw \`reached: \${await attempt()}.\`; };`);
  await tab.see("[role=status]", "reached: .");
  assertEquals([...paths], []);
  assertEquals(await page.context().cookies(), []);

  // In a page without the sandbox, the same code reaches everything, but the spy ends sockets.
  await page.goto(origin);
  const reached = await page.evaluate<string>(
    'import("/attempts").then(({ attempt }) => attempt())',
  );
  assertEquals(reached.split(",").length, 10);
  assert(paths.has("/socket"));
  await page.context().close();
});

test("the page in the frame runs no code without its sandbox, or for other windows", async () => {
  const { page, editor, passes } = await open();
  const replies = await page.evaluate(async () => {
    const replies: unknown[] = [];
    addEventListener("message", ({ source }) => replies.push(source));
    const { src } = document.querySelector("iframe")!;
    const found: boolean[] = [];
    for (const flags of ["", " allow-same-origin"]) {
      const frame = document.createElement("iframe");
      frame.setAttribute("sandbox", `allow-scripts${flags}`);
      frame.src = src;
      document.body.append(frame);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      found.push(replies.includes(frame.contentWindow));
    }
    // Messages of other windows change nothing.
    setInterval(() => postMessage([0, { error: "forged" }]), 1);
    return found;
  });
  assertEquals(replies, [true, false]); // whether the worker is ready
  await editor.fill(FINISHED);
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

test("the lab is small, and no other page loads it", async (t) => {
  host.sent.clear();
  const { tab } = await open();
  await tab.close();
  const sum = [...host.sent.values()].reduce((sum, size) => sum + size);
  t.diagnostic(`the lab transfers ${sum} bytes`);
  assert(host.sent.has("lab-frame/"));
  assert(sum <= 300_000, `${sum} bytes`);
  for (const name of ["", "tutorial"]) {
    host.sent.clear();
    const { tab, page } = await open(name);
    await page.evaluate(() => customElements.whenDefined("plant-live"));
    await page.waitForLoadState("networkidle");
    assertEquals([...host.sent.keys()].filter((path) => /lab/.test(path)), []);
    await tab.close();
  }
});

test("an edit during a run ends only that run", async () => {
  const { tab, page, editor, passes } = await open();
  const pause = "for (const end = Date.now() + 50; Date.now() < end;);";
  await editor.fill(STEPS[0]!.replace("{\n", `{\n${pause}\n`));
  await page.waitForTimeout(1_000);
  await editor.fill(STEPS[1]!.replace("{\n", `{\n${pause}\n`));
  await passes(/^52 of 73 test cases passed\.\s*$/);
  await tab.close();
});
