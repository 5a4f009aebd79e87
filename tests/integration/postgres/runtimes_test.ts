import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { BUN, DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { runProgram, startProgramFor } from "../../support/program.ts";
import { list } from "../../support/send.ts";
import { createDatabase, SERVER } from "./database.ts";

/** The commands that run tests on each runtime. */
const RUNTIMES = {
  // deno.json excludes these tests, because they need a server.
  Deno: [
    ...[...DENO, "test", "--allow-all", "--no-check", "--no-config"],
    ...["--node-modules-dir=none", "--no-lock", `--import-map=${OFFLINE_MAP}`],
  ],
  Bun: [...BUN, "test", "--timeout=60000"],
};

for (const [runtime, [command, ...args]] of Object.entries(RUNTIMES)) {
  test(`the contract and the tests of standbys pass on ${runtime}`, async () => {
    const files = ["contract", "standby"]
      .map((name) => `./tests/integration/postgres/${name}_test.ts`);
    const env = { DATABASE_SERVER: SERVER };
    const { stdout, stderr } = await runProgram(
      command!,
      [...args, ...files],
      { env },
    );
    assertMatch(stdout + stderr, /^ok \| [1-9]|^ *[1-9]\d* pass$/m);
  });
}

test("deno task start:any serves a database", async (t) => {
  const command = config.tasks["start:any"].command.replace(
    "deno run",
    `${DENO.join(" ")} run --import-map=${OFFLINE_MAP}`,
  );
  const DATABASE_URL = await createDatabase([{ name: "a" }]);
  const env = { PORT: "0", DATABASE_URL };
  const running = startProgramFor(t, "sh", ["-c", command], { env });
  const [, url] = await running.until("stdout", /^Listening on (.*)\n/);
  assertEquals(await (await list(url!, "token")).json(), [{ name: "a" }]);
});
