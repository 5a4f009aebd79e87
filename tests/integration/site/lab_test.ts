import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { after, test, type TestContext } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { readReply } from "../../../site/lab/reply.ts";
import { call } from "../../support/cli.ts";
import { makeFolder } from "../../support/files.ts";
import { listen } from "../../support/port.ts";
import { runProgram, startProgramFor } from "../../support/program.ts";
import { createLesson } from "../../../tools/lesson.ts";
import { Tab } from "../browser/browser.ts";
import { startSite } from "./host.ts";

/** The limit in bytes for the page with its first run. */
const MAX_LAB = 300_000;

const { host } = await startSite({ after });
const lesson = await createLesson();

/** The code after each step of the tutorial, and how many test cases it passes. */
const STEPS = [1, 2, 3, 4].map((step) => ({
  name: `step-${step}`,
  code: lesson.get(`examples/lesson/step-${step}/handler.mjs`)!,
}));
const FINISHED = STEPS[3]!.code;
const ALL = "73 of 73 test cases passed.";

/** Opens the lab, or another page with an address that is relative to the site. */
async function open(address = "lab", options = {}) {
  const tab = await Tab.open(host.url + address, options);
  const { page } = tab;
  const editor = page.getByRole("textbox", { name: "handler.mjs" });
  /** Waits for the result of the test cases. */
  const passes = (result: string | RegExp) => tab.see("[role=status]", result);
  return { tab, page, editor, passes };
}

test("the lab passes as many test cases in each step as the tutorial says", async () => {
  const tutorial = await readFile("docs/tutorial.md", "utf8");
  const counts = tutorial.matchAll(/passes (?:(\d+) of|all) (73) test cases/g);
  const { tab, page, editor, passes } = await open();
  for (const { code } of STEPS) {
    const [, count, all] = counts.next().value!;
    await editor.fill("// Not a handler yet");
    await passes("0 of 73");
    await editor.fill(code);
    await passes(`${count ?? all} of ${all} test cases passed.`);
  }
  assert(counts.next().done);
  const solution = await readFile(
    "examples/lesson/exercise-3/handler.mjs",
    "utf8",
  );
  await tab.field("Also test headers, caching, and CORS").check();
  const section = page.locator(".contract > details", {
    hasText: "Conditional requests",
  });
  const passed = async () =>
    parseInt(await section.locator("span").innerText());
  await passes("of 130");
  const before = await passed();
  await editor.fill(solution); // with node:crypto
  await passes("112 of 130");
  assert(await passed() > before);
  await tab.close();
});

test("a failure shows what differs, the request, the response, and the section", async () => {
  const { tab, page, passes } = await open();
  await passes("19 of 73");
  const section = page.locator(".contract > details", {
    hasText: "Authentication",
  });
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
  const [name, code, result] of [
    ["endless loop", "export function handler() { for (;;); }", "/plants took"],
    ["endless import", "for (;;);", "handler.mjs took longer than 2 seconds"],
    [
      "endless allocation",
      "const all = []; export const handler = () => { for (;;) all.push(Array(1e6).fill(Math.random())); }",
      "took longer than 2 seconds",
    ],
    [
      "flood of messages",
      "export function handler() { for (;;) postMessage([1, {}]); }",
      "called postMessage",
    ],
    [
      "syntax error",
      "export function handler() {\n  return [;\n}",
      /SyntaxError: .*\n+Go to line 2, column 11/,
    ],
    [
      "exception",
      "export function handler(request, plants) {\n  return plants.fitler();\n}",
      /TypeError: .*\n+Go to line 2, column 17/,
    ],
    ["missing module", 'import "node:fs";', "the lab has only node:crypto"],
    ["wrong result", "export const handler = () => 1;", "return a Response"],
    [
      "forged reply",
      'Object.defineProperty(Object.prototype, "status", { value: {} });\nexport const handler = () => new Response("x");',
      "0 of 73",
    ],
  ] as const
) {
  test(`the lab survives: ${name}`, async () => {
    const { tab, page, editor, passes } = await open();
    await passes("19 of 73");
    await editor.fill(code);
    const side = page.locator(".results");
    const text = async () => await side.innerText();
    await passes("0 of 73");
    for (const end = Date.now() + 60_000; Date.now() < end;) {
      if ((await text()).match(result)) break;
      await page.waitForTimeout(50);
    }
    assertMatch(await text(), new RegExp(result));
    await tab.check(name, [390]);
    await editor.fill(FINISHED);
    await passes(ALL);
    await tab.close(...code.match(/node:\w+/g) ?? []);
  });
}

test("a shared link runs only after its button, and its edits are kept apart", async () => {
  const { tab, page, editor, passes } = await open();
  await passes("19 of 73");
  await editor.fill(FINISHED);
  await passes(ALL);
  const link = await tab.copy(tab.button("Copy link"));
  await passes("Copied");
  assert(link.length < 2_000, link);
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
  await passes(ALL); // the code of the last starting point
  assert(!(await editor.innerText()).includes("// edited"));
  await tab.close();
});

test("the code stays in the browser; Reset restores the starting point", async () => {
  const { tab, page, editor, passes } = await open("");
  await page.locator("main").getByRole("link", { name: "lab" }).first().click();
  await passes("19 of 73"); // without a reload, so with the policy of the home page
  await page.locator("[name=start]").selectOption("step-3");
  await passes("69 of 73");
  await editor.fill(FINISHED);
  await passes(ALL);
  await page.reload();
  await passes(ALL);
  await tab.press("Reset");
  await passes("69 of 73");
  await editor.press("Control+z");
  await passes(ALL);
  for (const { name, code } of STEPS) {
    await page.locator("[name=start]").selectOption(name);
    if (name === "step-3") continue; // it has been changed
    await tab.see(".cm-content", code.split("\n").at(-3)!.trim());
  }
  await tab.close();
});

test("the keyboard is enough, and a request shows the response and the console", async () => {
  const { tab, page, editor, passes } = await open();
  await passes("19 of 73");
  await editor.focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("console.log('loaded');");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert(await editor.and(page.locator(":focus")).isVisible());
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert(!await editor.and(page.locator(":focus")).isVisible());
  await editor.fill(
    FINISHED.replace("{\n", "{\n  console.log(request.url);\n"),
  );
  for (
    const [path, token, method, expected] of [
      [
        "/plants?limit=1",
        "demo-florist",
        "GET",
        /^console: http.*limit=1\nHTTP\/1.1 200 OK\n[^]*"Monstera deliciosa","tag":"vine"}]$/,
      ],
      [
        "/plants?limit=x",
        "demo-florist",
        "GET",
        /HTTP\/1.1 400 [^]*got \\"x\\""}$/,
      ],
      [
        "/plants",
        "",
        "GET",
        /HTTP\/1.1 401 Unauthorized\nWWW-Authenticate: Bearer/,
      ],
      [
        "/plants",
        "demo-florist",
        "DELETE",
        /HTTP\/1.1 405 .*\nAllow: GET, HEAD/,
      ],
      [
        "/plants",
        "demo-florist",
        "HEAD",
        /HTTP\/1.1 200 OK\nContent-Type.*\n*$/,
      ],
    ] as const
  ) {
    await page.locator("[name=method]").selectOption(method);
    await tab.field("Token").fill(token);
    await tab.field("Path").fill(path);
    await tab.field("Path").press("Enter");
    await passes(`Response: ${expected.source.match(/1.1 (\d+)/)![1]}`);
    assertMatch(await tab.text("form + pre"), expected);
  }
  const regions = page.locator(
    "[role=status], [role=alert], [aria-live], output",
  );
  assertEquals(await regions.filter({ visible: true }).count(), 1);
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
  const cwd = join(students, "my-store");
  const server = startProgramFor(t, process.execPath, ["server.mjs"], {
    cwd,
    env: { PORT: "0" },
  });
  const [, url] = await server.until("stdout", /^Listening on (.*)\n/);
  const headers = { Authorization: "Bearer demo-florist" };
  assertMatch(await (await fetch(url!, { headers })).text(), /Monstera/);
  const { stdout } = await call(["verify", "--handlers", students]);
  assertMatch(stdout, /^my-store +73 of 73$/m);
  await tab.close();
});

/** What code tries to reach, as a module. `SPY` is the URL of a server. */
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
  files: () => navigator.storage.getDirectory(),
  serviceWorker: () => navigator.serviceWorker.getRegistrations(),
  page: () => parent.document.title,
  fetch: () => fetch("SPY/fetch"),
  opaque: () => fetch("SPY/opaque", { mode: "no-cors" }),
  events: () => until(new EventSource("SPY/events"), "open"),
  socket: () => until(new WebSocket("SPY/socket"), "open"),
  import: () => import("SPY/import"),
  data: () => import("data:text/javascript,export default 1"),
  request: () => {
    const request = new XMLHttpRequest();
    request.open("GET", "SPY/request");
    request.send();
    return until(request, "load");
  },
};
export async function attempt() {
  const done = await Promise.all(
    Object.entries(attempts).map(async ([name, run]) => {
      try {
        await run();
        return name;
      } catch {
        return "";
      }
    }),
  );
  return done.filter((name) => name !== "").sort();
}
`;

/** Starts a server that lets every origin read its responses, and lists what it receives. */
async function startSpy(t: TestContext) {
  const paths = new Set<string>();
  const spy = createServer(({ url }, response) => {
    paths.add(url!);
    const type = url === "/events" ? "text/event-stream" : "text/javascript";
    response.writeHead(200, {
      "Content-Type": url === "/" ? "text/html" : type,
      "Access-Control-Allow-Origin": "*",
    }).end(url === "/attempts" ? ATTEMPTS.replaceAll("SPY", origin) : "");
  });
  spy.on("upgrade", ({ url }, socket) => socket.destroy() && paths.add(url!));
  const origin = `http://127.0.0.1:${await listen(t, spy)}`;
  return { paths, origin };
}

test("the handler reaches no storage, cookies, other origins, and service workers", async (t) => {
  const { paths, origin } = await startSpy(t);
  const { page, editor, passes, tab } = await open();
  const code = ATTEMPTS.replaceAll("SPY", origin)
    .replace("export async", "async");
  await passes("19 of 73");
  const handler = `export const handler = async ({ url }) =>
  Response.json(url.includes("/attempt") ? await attempt() : []);`;
  await editor.fill(code + handler);
  await passes(/^(?!19 of)\d+ of/);
  await tab.field("Path").fill("/attempt");
  await tab.press("Send");
  await passes("Response: 200");
  assertMatch(await tab.text("form + pre"), /\n\[\]$/);
  assertEquals([...paths], []);
  assertEquals(await page.context().cookies(), []);

  // The same code reaches everything in a page of its own.
  await page.goto(origin);
  const reached = await page.evaluate(async (url) => {
    const { attempt } = await import(url);
    return await attempt();
  }, `${origin}/attempts`);
  const { length } = ATTEMPTS.match(/^ {2}\w+: \(\) =>/gm)!;
  // The spy ends sockets before they are open.
  assertEquals(reached.length, length - 1);
  for (const path of ["fetch", "opaque", "events", "socket", "import"]) {
    assert(paths.has(`/${path}`), path);
  }
  await page.context().close();
});

test("the page in the frame runs no code without its sandbox, or for other windows", async () => {
  const { page, passes } = await open();
  await passes("19 of 73");
  const replies = await page.evaluate(async () => {
    const replies: unknown[] = [];
    addEventListener("message", ({ data }) => replies.push(data));
    // Messages of other windows change nothing.
    for (let id = 0; id < 200; id++) postMessage([id, { error: "forged" }]);
    const { src } = document.querySelector("iframe")!;
    const sandboxes = [
      "allow-scripts",
      null,
      "allow-scripts allow-same-origin",
    ];
    for (const [index, sandbox] of sandboxes.entries()) {
      const frame = document.createElement("iframe");
      if (sandbox !== null) frame.setAttribute("sandbox", sandbox);
      frame.src = src;
      document.body.append(frame);
      await new Promise((resolve) => frame.onload = resolve);
      const message = { id: -index, restart: true };
      frame.contentWindow!.postMessage(message, "*");
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    return replies.map((data) => (data as [number])[0]).filter((id) => id <= 0);
  });
  assertEquals([...new Set(replies)], [0]); // that of the first frame
  await passes("19 of 73");
  await page.context().close();
});

test("a reply contains only texts and numbers of a limited size", () => {
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  for (
    const value of [undefined, null, 1, "text", [], cyclic, { log: cyclic }]
  ) {
    const { error, status, headers, body } = readReply(value);
    assertEquals([error, status, headers, body], ["", 0, [], ""]);
  }
  const reply = readReply({
    error: "x".repeat(2_000_000),
    line: "1",
    column: 1.5,
    status: { valueOf: () => 200 },
    headers: Array(1_000).fill([{}, "value", "more"]),
    log: [{ toString: () => "x" }, "text"],
  });
  assertEquals(reply.error.length, 1_000_000);
  assertEquals([reply.line, reply.column, reply.status], [0, 0, 0]);
  assertEquals(reply.headers, Array(100).fill(["", "value"]));
  assertEquals(reply.log, ["", "text"]);
});

test("the lab is small, and no other page loads it", async (t) => {
  const sum = () => [...host.sent.values()].reduce((sum, size) => sum + size);
  host.sent.clear();
  const { tab, passes } = await open();
  await passes("19 of 73");
  await tab.close();
  assert(host.sent.has("lab-frame/"));
  t.diagnostic(`the lab transfers ${sum()} bytes`);
  assert(sum() <= MAX_LAB, `${sum()} bytes`);
  for (const name of ["", "tutorial"]) {
    host.sent.clear();
    const { tab, page } = await open(name);
    await page.evaluate(() => customElements.whenDefined("plant-live"));
    assertEquals([...host.sent.keys()].filter((path) => /lab/.test(path)), []);
    await tab.close();
  }
});
