import { cp, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { test, type TestContext } from "node:test";
import { assertEquals } from "@std/assert";
import { serve } from "../../../src/server/serve.ts";
import { openapi } from "../../../src/openapi/openapi.ts";
import { startServer } from "../../support/command.ts";
import { type Case, CASES, type Setup } from "../../contract/cases.ts";
import { asksForPlants, openStore, OPTIONS } from "../../contract/setups.ts";
import { fillTag, type Service } from "../../contract/suite.ts";
import { sendOverWire } from "../../contract/wire.ts";
import { makeFolder } from "../../support/files.ts";
import { runProgram, startProgramFor } from "../../support/program.ts";

// Tests the OpenAPI document with common tools and a running server.

const TOOLS = resolve("tests/integration/tools");
const MODULES = join(TOOLS, "node_modules");

const env = {
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
};

/** Returns the path of a tool. */
const bin = (name: string) => join(MODULES, ".bin", name);

/** Returns the document of a server. */
async function download(url: string): Promise<string> {
  const response = await fetch(`${url}openapi.json`);
  return await response.text();
}

/**
 * Copies this folder with the document of a server.
 *
 * @returns Runs a tool in the copy.
 */
async function open(
  t: TestContext,
): Promise<(tool: string, ...args: readonly string[]) => Promise<string>> {
  const folder = await makeFolder(t);
  await cp(TOOLS, folder, {
    recursive: true,
    filter: (path) => path !== MODULES,
  });
  await symlink(MODULES, join(folder, "node_modules"));
  const { url } = await startServer(t);
  await writeFile(join(folder, "openapi.json"), await download(url));
  await cp(
    "src/openapi/plants.arazzo.yaml",
    join(folder, "plants.arazzo.yaml"),
  );
  return async (tool, ...args) => {
    const { stdout } = await runProgram(tool, args, { cwd: folder, env });
    return stdout;
  };
}

test("Redocly finds no problems", async (t) => {
  const use = await open(t);
  const output = await use(
    bin("redocly"),
    "lint",
    "--extends=recommended",
    "--format=json",
    "openapi.json",
  );
  const { totals } = JSON.parse(output);
  assertEquals(totals, { errors: 0, warnings: 0, ignored: 0 }, output);
});

test("Spectral finds no problems", async (t) => {
  const use = await open(t);
  await use(
    bin("spectral"),
    "lint",
    "--ruleset=spectral.json",
    "--fail-severity=hint",
    "openapi.json",
  );
});

test("Respect passes the main flow", async (t) => {
  const use = await open(t);
  await use(bin("redocly"), "respect", "plants.arazzo.yaml");
});

/** The compiler options for generated clients. */
const TSC = [
  "--noEmit",
  "--strict",
  "--target",
  "es2022",
  "--module",
  "esnext",
  "--moduleResolution",
  "bundler",
  "--allowImportingTsExtensions",
  "--resolveJsonModule",
];
const PRINTED =
  "Monstera deliciosa, vine; Helianthus annuus, flower; Phalaenopsis amabilis, orchid\n400\n";

for (
  const [program, tool, ...args] of [
    [
      "openapi_fetch.ts",
      "openapi-typescript",
      "openapi.json",
      "--output=openapi_typescript.ts",
    ],
    ["hey_api.ts", "openapi-ts", "--input=openapi.json", "--output=hey_api"],
  ] as const
) {
  test(`${tool} generates a typed client that lists plants`, async (t) => {
    const use = await open(t);
    await use(bin(tool), ...args);
    const client = join("clients", program);
    await use(bin("tsc"), ...TSC, client);
    const tsx = import.meta.resolve("tsx");
    const output = await use(process.execPath, "--import", tsx, client);
    assertEquals(output, PRINTED);
  });
}

/** Returns whether Prism, which changes Host and repeated headers, passes a request through. */
function isPlain({ method = "GET", headers = [] }: Case): boolean {
  const names = headers.map(([name]) => name);
  return method === "GET" && !names.includes("Host") &&
    new Set(names).size === names.length;
}

for (const [setup, options] of Object.entries(OPTIONS)) {
  const { basePath = "" } = options;
  const cases = CASES.filter((each) =>
    (each.setup ?? "open") === setup && isPlain(each) && asksForPlants(each)
  );
  if (cases.length === 0) continue;
  test(`Prism finds no violation in ${cases.length} responses: ${setup}`, async (t) => {
    const store = openStore(setup as Setup);
    const server = await serve(store, { ...options, port: 0, openapi });
    t.after(() => server.close());
    // With `security`, Prism would reject credentials itself.
    const document = JSON.parse(await download(server.url));
    const path = join(await makeFolder(t), "openapi.json");
    await writeFile(path, JSON.stringify({ ...document, security: [] }));

    const args = ["proxy", path, server.url, "--errors"];
    const prism = startProgramFor(t, bin("prism"), [
      ...args,
      ...["--validate-request=false", "--port=0"],
    ]);
    const [, port] = await prism.until("stdout", /listening on http:.*:(\d+)/);
    const service: Pick<Service, "send"> = {
      send: ({ target = "/plants", ...rest }) =>
        sendOverWire(Number(port), {
          // Prism adds the path of the server.
          target: target.slice(basePath.length),
          ...rest,
        }),
    };
    for (const each of cases) {
      const response = await service.send(await fillTag(service, each));
      const message = `${each.id}: ${response.body}`;
      assertEquals(response.status, each.status, message);
      assertEquals(response.headers.get("sl-violations"), null, message);
    }
  });
}
