import { spawn } from "node:child_process";
import { cp, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { test, type TestContext } from "node:test";
import { assertEquals } from "@std/assert";
import { serve } from "../../../src/server/serve.ts";
import { openapi } from "../../../src/openapi/openapi.ts";
import { type Running, startServer, watch } from "../../support/command.ts";
import { type Case, CASES, type Setup } from "../../contract/cases.ts";
import { asksForPlants, openStore, OPTIONS } from "../../contract/setups.ts";
import { fillTag, type Service } from "../../contract/suite.ts";
import { sendOverWire } from "../../contract/wire.ts";
import { makeFolder } from "../../support/files.ts";

// The OpenAPI document in the tools that users run, with a server that answers.

const TOOLS = resolve("tests/integration/tools");
const MODULES = join(TOOLS, "node_modules");

/** Starts a program in a folder. */
function start(cwd: string, program: string, args: readonly string[]): Running {
  return watch(spawn(program, args, {
    cwd,
    env: {
      ...process.env,
      NO_COLOR: "1",
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    },
    stdio: ["ignore", "pipe", "pipe"],
  }));
}

/** Runs a program, which has to succeed, and gives its standard output. */
async function run(
  cwd: string,
  program: string,
  args: readonly string[],
): Promise<string> {
  const { status, stdout, stderr } = await start(cwd, program, args).ended;
  assertEquals(status, 0, `${program}: ${stdout}${stderr}`);
  return stdout;
}

/** The program that a package of this folder has. */
const bin = (name: string) => join(MODULES, ".bin", name);

/** The document as a server has it. */
async function download(url: string): Promise<string> {
  const response = await fetch(`${url}openapi.json`);
  return await response.text();
}

/** What runs the tools in a copy of this folder, beside the document of a server. */
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
  return (tool, ...args) => run(folder, tool, args);
}

test("Redocly finds nothing", async (t) => {
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

test("Spectral finds nothing", async (t) => {
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

/** How the types of a client that was generated are checked. */
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
  test(`${tool} makes a client with types that gets plants`, async (t) => {
    const use = await open(t);
    await use(bin(tool), ...args);
    const client = join("clients", program);
    await use(bin("tsc"), ...TSC, client);
    const tsx = import.meta.resolve("tsx");
    const output = await use(process.execPath, "--import", tsx, client);
    assertEquals(output, PRINTED);
  });
}

/** Whether a proxy hands this request on as it is: Prism has fields of its own, and takes the first of two. */
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
  test(`Prism sees no violation: ${setup}, ${cases.length} requests`, async (t) => {
    const store = openStore(setup as Setup);
    const server = await serve(store, { ...options, port: 0, openapi });
    t.after(() => server.close());
    // With `security` it would refuse credentials itself, so that our 401 stays unseen.
    const document = JSON.parse(await download(server.url));
    const path = join(await makeFolder(t), "openapi.json");
    await writeFile(path, JSON.stringify({ ...document, security: [] }));

    const prism = start(".", bin("prism"), [
      "proxy",
      path,
      server.url,
      "--errors",
      "--validate-request=false",
      "--port=0",
    ]);
    t.after(async () => {
      prism.kill("SIGKILL");
      await prism.ended;
    });
    const [, port] = await prism.until("stdout", /listening on http:.*:(\d+)/);
    const service: Pick<Service, "send"> = {
      send: ({ target = "/plants", ...rest }) =>
        sendOverWire(Number(port), {
          // It puts the path of the server in front.
          target: target.slice(basePath.length),
          ...rest,
        }),
    };
    for (const each of cases) {
      const response = await service.send(await fillTag(service, each));
      const told = `${each.id}: ${response.body}`;
      assertEquals(response.status, each.status, told);
      assertEquals(response.headers.get("sl-violations"), null, told);
    }
  });
}
