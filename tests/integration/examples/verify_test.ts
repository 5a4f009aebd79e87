import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { CASES } from "../../../src/verify/cases.ts";
import { call } from "../../support/cli.ts";
import { startServer } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";
import { findPort } from "../../support/port.ts";
import {
  requireProgram,
  startProgram,
  startProgramFor,
} from "../../support/program.ts";
import { until } from "../../support/until.ts";

// Runs `plant-store verify` against servers in two languages.

const folder = join(await makeFolder({ after }), "test-data");
await call(["verify", "--write-data", folder]);
const files = ["plants", "tokens"]
  .map((name) => `--${name}=${join(folder, `${name}.json`)}`);

/** The commands that start the servers. `PORT` is set, and added as an argument for Python. */
const SERVERS: Readonly<Record<string, readonly string[]>> = {
  "Plant Store": [
    ...[process.execPath, "--import", "tsx", "src/cli/main.ts", ...files],
  ],
  "the example in Python": ["python3", "examples/python_server.py", folder],
};

for (const [name, [program, ...args]] of Object.entries(SERVERS)) {
  test(`verify: ${name} passes all test cases`, async (t) => {
    if (program === "python3") requireProgram(program, "python3");
    const port = await findPort();
    const more = program === "python3" ? [`${port}`] : [];
    startProgramFor(t, program!, [...args, ...more], {
      env: { PORT: `${port}` },
    });
    const url = `http://127.0.0.1:${port}`;
    await until(() => fetch(url).then(() => true, () => false));
    const { stdout } = await call(["verify", url]);
    const counts = Array.from(stdout.matchAll(/(\d+) of (\d+)/g));
    assertEquals(counts.length, 2, stdout);
    for (const [, passed, all] of counts) assertEquals(passed, all, stdout);
  });
}

test("verify: the curl commands reproduce the requests", async (t) => {
  requireProgram("curl", "curl");
  const { url } = await startServer(t, files);
  const { stdout } = await call(["verify", url, "--format", "json"]);
  const found = new Map<string, string>();
  for (const { id, request } of JSON.parse(stdout).cases) {
    found.set(id, request);
  }
  const kinds = new Set<string>();
  for (const { id, status } of CASES) {
    // One case of each kind, because each takes some time.
    const kind = id.split(".")[0]!, request = found.get(id);
    if (kinds.has(kind) || request === undefined) continue;
    kinds.add(kind);
    const { stdout } = await startProgram("sh", ["-c", request]).ended;
    const statuses = stdout.match(/(?<=HTTP\/1\.1 )(?!100)\d+(?= )/g) ?? [];
    const last = Number(statuses.at(-1));
    assert([status].flat().includes(last), `${request}: ${stdout}`);
  }
  assert(kinds.size > 10, `${kinds.size}`);
});
