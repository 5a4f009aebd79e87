import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { CASES } from "../../../src/verify/cases.ts";
import { ACCESS } from "../../contract/all_cases.ts";
import peers from "../../package.json" with { type: "json" };
import { DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { call } from "../../support/cli.ts";
import { startServer } from "../../../tools/start_cli.ts";
import { makeFolder } from "../../support/files.ts";
import { readDocument } from "../../../tools/markdown.ts";
import { findPort } from "../../../tools/port.ts";
import { startProgram, startProgramFor } from "../../../tools/start_program.ts";
import { until } from "../../../tools/until.ts";

// Runs `plant-store verify` against servers in other languages and frameworks, and
// compares the number of test cases that they pass with docs/verify.md.

const folder = join(await makeFolder({ after }), "test-data");
await call(["verify", "--write-data", folder]);
const files = ["plants", "tokens"]
  .map((name) => `--${name}=${join(folder, `${name}.json`)}`);
// Peers know neither expiry nor behaviors.
const users = Object.entries(ACCESS)
  .map(([token, plants]) => [token, { plants, tokens: [token] }]);
const peerTokens = join(folder, "peer_tokens.json");
await writeFile(peerTokens, JSON.stringify(Object.fromEntries(users)));
const env = {
  PLANTS_FILE: join(folder, "plants.json"),
  TOKENS_FILE: peerTokens,
};

const peer = (name: string): readonly string[] => [
  process.execPath,
  `bench/sides/${name}.mjs`,
];
const { hono, fastify } = peers.devDependencies;

/** The servers by their names in the document, with their commands. */
const SERVERS: Readonly<Record<string, readonly string[]>> = {
  "Plant Store on Node.js": [
    ...[process.execPath, "--import", "tsx", "src/cli/main.ts", ...files],
  ],
  "Plant Store on Deno 2.9": [
    ...[...DENO, "run", "--allow-all", `--import-map=${OFFLINE_MAP}`],
    ...["--node-modules-dir=none", "src/cli/main.ts", ...files],
  ],
  "[Python example](../examples/python_server.py)": [
    ...["python3", "examples/python_server.py", folder],
  ],
  [`[Hono](../bench/sides/hono.mjs) ${hono}`]: peer("hono"),
  [`[Fastify](../bench/sides/fastify.mjs) ${fastify}`]: peer("fastify"),
};

const text = readDocument("docs/verify.md").prose.replace(/ +/g, " ");
const rows = text.match(/^- .*\d+ of \d+$/gm);

for (const [name, [program, ...args]] of Object.entries(SERVERS)) {
  test(`verify: ${name} passes as many test cases as documented`, async (t) => {
    const port = await findPort();
    const more = program === "python3" ? [`${port}`] : [];
    const own = { ...env, PORT: `${port}` };
    startProgramFor(t, program!, [...args, ...more], { env: own });
    const url = `http://127.0.0.1:${port}`;
    await until(() => fetch(url).then(() => true, () => false));
    const { stdout } = await call(["verify", url]);
    const [core, http] = stdout.match(/\d+ of \d+/g)!;
    const row = `- ${name}: ${core}, ${http}`;
    assertEquals(rows?.filter((each) => each === row), [row], stdout);
  });
}

test("verify: the curl commands reproduce the requests", async (t) => {
  const { url } = await startServer(t, files);
  const { stdout } = await call(["verify", url, "--format", "json"]);
  const { cases } = JSON.parse(stdout);
  const statuses = new Map(
    CASES.map(({ id, expected: { status } }) => [id, [status].flat()]),
  );
  for (const { id, request } of cases) {
    const expected = statuses.get(id);
    if (expected === undefined) continue;
    const output = await startProgram("sh", ["-c", request]).ended;
    const found = output.stdout.match(/(?<=HTTP\/1\.1 )(?!100)\d+(?= )/g) ?? [];
    assert(expected.includes(Number(found.at(-1))), `${request}: ${found}`);
  }
});
