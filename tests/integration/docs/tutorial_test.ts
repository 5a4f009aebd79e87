import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { watch } from "../../support/command.ts";
import { ACCESS, CASES, PLANTS } from "../../contract/cases.ts";
import { testContract } from "../../contract/suite.ts";
import { sendOverWire } from "../../contract/wire.ts";
import { readDocument } from "../../support/markdown.ts";

// What docs/tutorial.md comes to in its last step is held to the core of the
// contract: whom a token lets see what, the limit, and what is refused.

const CORE: ReadonlySet<string> = new Set(
  `
  access.none access.ferns access.roses access.mixed access.odd
  access.constructor access.a.b-c_d~e+f/g== access.limited

  limit.two limit.one limit.zero limit.size limit.more limit.int32
  limit.escaped limit.escaped-name limit.ampersands limit.case query.others
  query.empty query.mixed

  limit.refused.negative limit.refused.leading-zero limit.refused.exponent
  limit.refused.hexadecimal limit.refused.fraction limit.refused.space
  limit.refused.plus limit.refused.empty limit.refused.bare limit.refused.nul
  limit.refused.line-feed limit.refused.word limit.refused.over-int32
  limit.refused.huge limit.refused.twice limit.refused.twice-equal
  limit.refused.escaped-name

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

const FOLDER = "docs/tutorial";

/** Starts the server of a step on the runtime of the test, with what the tutorial grants it. */
async function start(step: string, ...args: readonly string[]) {
  const grants = ["net", "env", ...args.length > 0 ? ["read"] : []];
  const run = "Deno" in globalThis
    ? ["run", ...grants.map((name) => `--allow-${name}`)]
    : [];
  const server = watch(spawn(
    process.execPath,
    [...run, `${FOLDER}/${step}/server.mjs`, ...args],
    {
      env: { ...process.env, PORT: "0" },
      stdio: ["ignore", "pipe", "pipe"],
    },
  ));
  const [, url] = await server.until("stdout", /^Listening on (.*)\n/);
  return {
    url: url!,
    async close() {
      server.kill("SIGKILL");
      await server.ended;
    },
  };
}

/** The steps, with how many plants the florist sees in each. */
const STEPS: readonly (readonly [step: string, plants: number])[] = [
  ["1-route", 4],
  ["2-bearer", 2],
  ["3-errors", 2],
  ["4-files", 3],
  ["5-test", 3],
];

for (const [step, plants] of STEPS) {
  test(`the tutorial's step ${step} answers, and reads on one screen`, async (t) => {
    const folder = `${FOLDER}/${step}`;
    for (const name of await readdir(folder)) {
      const lines = (await readFile(`${folder}/${name}`, "utf8")).split("\n");
      assert(lines.length <= 60, `${name}: ${lines.length} lines`);
    }
    const hasFiles = existsSync(`${folder}/plants.json`);
    const server = await start(step, ...hasFiles ? [folder] : []);
    t.after(server.close);
    const response = await fetch(server.url, {
      headers: { authorization: "Bearer demo-florist" },
    });
    assertEquals((await response.json()).length, plants);
  });
}

test("the tutorial shows what step 5 changes in answer.mjs", async () => {
  const { blocks } = readDocument("docs/tutorial.md");
  const { text } = blocks.find(({ language }) => language === "diff")!;
  const [before, after] = await Promise.all(
    ["4-files", "5-test"].map((step) =>
      readFile(`${FOLDER}/${step}/answer.mjs`, "utf8")
    ),
  );
  const hunks = text.split(/^@@.*\n/m).slice(1);
  const changed = hunks.reduce(
    (code, hunk) => code.replace(side(hunk, "-"), () => side(hunk, "+")),
    before!,
  );
  assertEquals(changed, after);
});

/** The lines of a hunk before or after the change. */
function side(hunk: string, mark: "-" | "+"): string {
  return hunk.split("\n").filter((line) => /^ /.test(line) || line[0] === mark)
    .map((line) => `${line.slice(1)}\n`).join("");
}

test("the core of the contract is there", () => {
  assertEquals(cases.length, CORE.size);
});

testContract("the tutorial's last step", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plant-store-"));
  const users = Object.entries(ACCESS).map(([token, plants]) => [token, {
    plants,
    tokens: [{ sha256: createHash("sha256").update(token).digest("hex") }],
  }]);
  await writeFile(join(folder, "plants.json"), JSON.stringify(PLANTS));
  await writeFile(
    join(folder, "tokens.json"),
    JSON.stringify(Object.fromEntries(users)),
  );
  const server = await start("5-test", folder);
  return {
    send: (request) => sendOverWire(Number(new URL(server.url).port), request),
    async close() {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}, { cases });
