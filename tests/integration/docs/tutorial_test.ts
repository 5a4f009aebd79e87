import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { DENO } from "../../../tools/runtimes.ts";
import { ACCESS, CASES, PLANTS } from "../../contract/cases.ts";
import { testContract } from "../../contract/suite.ts";
import { sendOverWire } from "../../contract/wire.ts";
import { watch } from "../../support/command.ts";
import { readDocument } from "../../support/markdown.ts";

// Runs each step of docs/tutorial.md on Node.js and Deno. The last step passes
// the core of the contract: access, limits, and rejected requests.

const CORE: ReadonlySet<string> = new Set(
  `
  access.none access.ferns access.roses access.mixed access.odd
  access.constructor access.a.b-c_d~e+f/g== access.limited

  limit.two limit.one limit.zero limit.size limit.more limit.int32
  limit.escaped limit.escaped-name limit.ampersands limit.case query.others
  query.empty query.mixed

  limit.rejected.negative limit.rejected.leading-zero limit.rejected.exponent
  limit.rejected.hexadecimal limit.rejected.fraction limit.rejected.space
  limit.rejected.plus limit.rejected.empty limit.rejected.bare limit.rejected.nul
  limit.rejected.line-feed limit.rejected.word limit.rejected.over-int32
  limit.rejected.huge limit.rejected.twice limit.rejected.twice-equal
  limit.rejected.escaped-name

  credentials.none credentials.empty credentials.basic credentials.bare-token
  credentials.longer-scheme credentials.prefixed-scheme credentials.scheme-alone
  credentials.unknown credentials.case-of-token credentials.two-tokens
  credentials.quoted credentials.tab credentials.comma credentials.equals-first
  credentials.expired credentials.name.__proto__ credentials.name.toString
  credentials.query credentials.before-limit credentials.scheme-case
  credentials.spaces

  head.unauthorized head.missing method.after-path method.before-credentials
  path.missing.root path.missing.slash path.missing.case
  path.missing.double-slash path.missing.longer path.missing.inner
  path.missing.constructor
  `.trim().split(/\s+/),
);

const cases = CASES.filter(({ id }) => CORE.has(id));

test("tutorial: every core case exists", () => {
  assertEquals(cases.length, CORE.size);
});

const { blocks } = readDocument("docs/tutorial.md");

/** The steps, and the number of plants that the florist sees in each. */
const STEPS: readonly (readonly [heading: string, plants: number])[] = [
  ["1. Route requests", 4],
  ["2. Authenticate users", 3],
  ["3. Validate input", 3],
  ["4. Test the handler", 3],
];

/** Creates a folder with the files and the changes of the first steps. */
async function build(steps: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "plant-store-tutorial-"));
  const headings = STEPS.slice(0, steps).map(([heading]) => heading);
  for (const { comment, language, text, under } of blocks) {
    if (!headings.includes(under[1] ?? "")) continue;
    const [, file] = /^file: (.+)/.exec(comment ?? "") ?? [];
    if (file !== undefined) await writeFile(join(folder, file), text);
    if (language === "diff") {
      execFileSync("git", ["apply"], { cwd: folder, input: text });
    }
  }
  return folder;
}

/** Starts the server with the commands of the tutorial. */
async function start(runtime: readonly string[], folder: string) {
  const [command, ...args] = [...runtime, "server.mjs"];
  const server = watch(spawn(command!, args, {
    cwd: folder,
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // npx starts Deno as a child process
  }));
  const [, url] = await server.until("stdout", /^Listening on (.*)\n/);
  return {
    url: url!,
    async close() {
      process.kill(-server.process.pid!, "SIGKILL");
      await server.ended;
      await rm(folder, { recursive: true });
    },
  };
}

const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  "Node.js": [process.execPath],
  Deno: [...DENO, "run", "-NRE"],
};

for (const [name, runtime] of Object.entries(RUNTIMES)) {
  for (const [index, [heading, plants]] of STEPS.entries()) {
    test(`tutorial: step ${heading} runs on ${name}`, async (t) => {
      const server = await start(runtime, await build(index + 1));
      t.after(server.close);
      const response = await fetch(server.url, {
        headers: { authorization: "Bearer demo-florist" },
      });
      assertEquals((await response.json()).length, plants);
    });
  }

  testContract(`the tutorial's last step on ${name}`, async () => {
    const folder = await build(STEPS.length);
    const users = Object.entries(ACCESS).map(([token, plants]) => [token, {
      plants,
      tokens: [{ sha256: createHash("sha256").update(token).digest("hex") }],
    }]);
    await writeFile(join(folder, "plants.json"), JSON.stringify(PLANTS));
    await writeFile(
      join(folder, "tokens.json"),
      JSON.stringify(Object.fromEntries(users)),
    );
    const { url, close } = await start(runtime, folder);
    const port = Number(new URL(url).port);
    return { send: (request) => sendOverWire(port, request), close };
  }, { cases });
}

test("tutorial: the tests of the last step pass on Deno", async (t) => {
  const folder = await build(STEPS.length);
  t.after(() => rm(folder, { recursive: true }));
  const [command, ...args] = [...DENO, "test"];
  const output = execFileSync(command!, args, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  assertMatch(output, /^ok \| 10 passed/m);
});

test("tutorial: the code is formatted", async (t) => {
  const folder = await build(STEPS.length);
  t.after(() => rm(folder, { recursive: true }));
  const [command, ...args] = [...DENO, "fmt", "--check"];
  execFileSync(command!, args, { cwd: folder, stdio: "pipe" });
});
