import { copyFile, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { assertEquals } from "@std/assert";
import type { FailureStatus } from "../../../mod.ts";
import { CASES } from "../../contract/all_cases.ts";
import { asksForPlants } from "../../contract/setups.ts";
import { startServer } from "../../../tools/start_cli.ts";
import { makeFolder } from "../../support/files.ts";
import { PACKAGES } from "../../support/project.ts";
import { runProgram } from "../../../tools/start_program.ts";

// Tests the OpenAPI document of a running server with common tools.

const env = {
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
};

/** A folder with the document of a server, and with what the tools need. */
const folder = await makeFolder({ after });
const { url } = await startServer({ after });
const document = await (await fetch(`${url}openapi.json`)).text();
await writeFile(join(folder, "openapi.json"), document);
for (const path of ["integration/tools/client.ts", "package.json"]) {
  await copyFile(`tests/${path}`, join(folder, basename(path)));
}
await symlink(PACKAGES, join(folder, "node_modules"));

/** Runs a tool in the folder, and returns its output. */
async function use(tool: string, ...args: readonly string[]): Promise<string> {
  const program = join(PACKAGES, ".bin", tool);
  return (await runProgram(program, args, { cwd: folder, env })).stdout;
}

test("Redocly finds no problems", async () => {
  const options = ["--extends=recommended-strict", "--format=json"];
  const output = await use("redocly", "lint", ...options, "openapi.json");
  const { totals } = JSON.parse(output);
  assertEquals(totals, { errors: 0, warnings: 0, ignored: 0 }, output);
});

test("openapi-typescript generates a typed client that lists plants", async () => {
  const name = "openapi_typescript.ts";
  await use("openapi-typescript", "openapi.json", `--output=${name}`);
  const options = [
    ...["--noEmit", "--strict", "--skipLibCheck", "--resolveJsonModule"],
    ...["--allowImportingTsExtensions", "--target", "es2022", "--module"],
    ...["esnext", "--moduleResolution", "bundler", "--types", "node"],
  ];
  await use("tsc", ...options, "client.ts");
  const tsx = import.meta.resolve("tsx");
  const args = ["--import", tsx, "client.ts"];
  const { stdout } = await runProgram(process.execPath, args, { cwd: folder });
  assertEquals(
    stdout,
    "Monstera deliciosa, vine; Helianthus annuus, flower; Phalaenopsis amabilis, orchid\n400\n",
  );
});

/** The statuses of simulated failures. */
const FAILURES: readonly FailureStatus[] = [429, 500, 503];

test("the document describes every status of GET /plants in the contract, and of simulated failures", () => {
  const statuses = CASES.filter(asksForPlants)
    .filter(({ mayBypassService, needsServer, request: { method } }) =>
      !mayBypassService && !needsServer && method === "GET"
    )
    .flatMap(({ expected: { status } }) => [status].flat().map(String));
  const { responses } = JSON.parse(document).paths["/plants"].get;
  const expected = [...new Set([...statuses, ...FAILURES.map(String)])].sort();
  assertEquals(Object.keys(responses), expected);
});
