import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { assertEquals } from "@std/assert";
import { DENO } from "../../../tools/runtimes.ts";
import { type CaseResult, verify } from "../../../src/contract/verify.ts";
import { writeContract } from "../../contract/stores.ts";
import { makeFolder } from "../../support/files.ts";
import { readDocument } from "../../support/markdown.ts";
import { runProgram, startProgramFor } from "../../support/program.ts";

// After each step of docs/tutorial.md, the server passes the number of test cases
// that the document shows. blocks_test.ts runs the steps.

const { blocks, prose } = readDocument("docs/tutorial.md");

/** The server after each numbered step, with the test data. */
const folder = await makeFolder({ after });
const data = join(folder, "data");
await mkdir(data);
await writeContract(data);
const steps: string[] = [];
let current = join(folder, "0");
await mkdir(current);
for (const { comment, language, text, under } of blocks) {
  const [, number] = /^([1-4])\. /.exec(under[1] ?? "") ?? [];
  if (number === undefined) continue;
  const step = join(folder, number);
  if (step !== current) {
    await cp(current, step, { recursive: true });
    steps.push(step);
    current = step;
  }
  const [, file] = /^file: (.+)/.exec(comment ?? "") ?? [];
  if (file !== undefined) await writeFile(join(step, file), text);
  if (language === "diff") {
    await writeFile(join(step, "step.diff"), text);
    await runProgram("git", ["apply", "step.diff"], { cwd: step });
  }
}

/** The commands of the tutorial. */
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  "Node.js": [process.execPath],
  Deno: [...DENO, "run", "-NRE"],
};

/** Runs the core test cases against the server of a step. */
async function run(
  t: Parameters<typeof startProgramFor>[0],
  [command, ...args]: readonly string[],
  step: string,
): Promise<readonly CaseResult[]> {
  const server = startProgramFor(t, command!, [
    ...args,
    join(step, "server.mjs"),
  ], {
    cwd: data,
    env: { PORT: "0" },
  });
  const [, origin] = await server.until(
    "stdout",
    /^Listening on (.*)\/plants\n/,
  );
  const results: CaseResult[] = [];
  for await (const each of verify(origin!, { level: "core" })) {
    results.push(each);
  }
  return results;
}

for (const [name, command] of Object.entries(RUNTIMES)) {
  test(`each step of the tutorial passes the documented number of test cases on ${name}`, async (t) => {
    const counts: string[] = [];
    for (const step of steps) {
      const results = await run(t, command, step);
      const passed = results.filter(({ status }) => status === "passed");
      counts.push(`${passed.length} of ${results.length}`);
    }
    const rows = counts.map((count, index) => `| ${index + 1} | ${count} |`);
    const text = prose.replace(/ +/g, " ");
    assertEquals(rows.filter((row) => !text.includes(row)), []);
  });
}
