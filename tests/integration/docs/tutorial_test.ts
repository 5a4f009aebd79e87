import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { after } from "node:test";
import { DENO } from "../../../tools/runtimes.ts";
import { type Case, CASES } from "../../contract/cases.ts";
import { writeContract } from "../../contract/stores.ts";
import { testContract } from "../../contract/suite.ts";
import { sendOverWire } from "../../contract/wire.ts";
import { makeFolder } from "../../support/files.ts";
import { readDocument } from "../../support/markdown.ts";
import { runProgram, startProgram } from "../../support/program.ts";

// The last step of docs/tutorial.md passes the core of the contract: access,
// limits, and rejected requests. blocks_test.ts runs the steps before it.

const CORE = /^(?:access|limit|query|credentials|path\.missing)\./;
/** Repeated headers, and long values in messages. */
const OTHERS =
  /^credentials\.(?:bearer-first|good-first|twice)$|\.cut(?:-character)?$/;

/** Returns whether the tutorial implements a case. */
function isCore({ id, setup = "open" }: Case): boolean {
  return setup === "open" && CORE.test(id) && !OTHERS.test(id);
}

/** The files after the last numbered step. */
const folder = await makeFolder({ after });
for (
  const { comment, language, text, under } of readDocument("docs/tutorial.md")
    .blocks
) {
  if (!/^\d\. /.test(under[1] ?? "")) continue;
  const [, file] = /^file: (.+)/.exec(comment ?? "") ?? [];
  if (file !== undefined) await writeFile(join(folder, file), text);
  if (language === "diff") {
    await writeFile(join(folder, "step.diff"), text);
    await runProgram("git", ["apply", "step.diff"], { cwd: folder });
  }
}
await writeContract(folder);

/** The commands of the tutorial. */
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  "Node.js": [process.execPath],
  Deno: [...DENO, "run", "-NRE"],
};

for (const [name, [command, ...args]] of Object.entries(RUNTIMES)) {
  testContract(`the tutorial's last step on ${name}`, async () => {
    const options = { cwd: folder, env: { PORT: "0" } };
    const server = startProgram(command!, [...args, "server.mjs"], options);
    const [, url] = await server.until("stdout", /^Listening on (.*)\n/);
    const port = Number(new URL(url!).port);
    return {
      send: (request) => sendOverWire(port, request),
      async close() {
        server.kill("SIGKILL");
        await server.ended;
      },
    };
  }, { cases: CASES.filter(isCore) });
}
