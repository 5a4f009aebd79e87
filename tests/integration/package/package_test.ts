import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { after, before, test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { build, type BuildOptions, type OutputFile } from "esbuild";
import plants from "../../../data/plants.json" with { type: "json" };
import config from "../../../deno.json" with { type: "json" };
import offline from "../../../tools/deno.offline.json" with { type: "json" };
import metadata from "../../../package.json" with { type: "json" };
import { MODULES } from "../../../tools/manifests.ts";
import type { Running } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";
import {
  runProgram,
  startProgram,
  startProgramFor,
} from "../../support/program.ts";

// Tests the packed package, installed in an empty folder.

/** Limits in bytes: the packed package, and the minified and gzipped handler. */
const MAX_PACKAGE = 90_000, MAX_HANDLER = 12_000;

const TOOLS = resolve("tests/integration/package");
const bin = (name: string) => join(TOOLS, "node_modules/.bin", name);

/** The folder of each version of Node.js. */
const paths = new Map<string, string>();
/** The tarball, and the folder where it is installed. */
let tarball: string, folder: string;

/** The output of `npm pack --json`. */
interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}
let packed: Packed;

/** Sets `PATH` so that `node` is a version of Node.js. */
function withNode(version?: string): Readonly<Record<string, string>> {
  const path = process.env["PATH"]!;
  return version === undefined
    ? { PATH: path }
    : { PATH: [paths.get(version), path].join(delimiter) };
}

/** Runs a program, which must succeed, and returns its output. */
async function run(
  cwd: string,
  program: string,
  args: readonly string[],
  node?: string,
): Promise<string> {
  const env = withNode(node);
  return (await runProgram(program, args, { cwd, env })).stdout;
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "plant-store-"));
  for (const version of ["20", "26"]) {
    const print = ["node", "--print", "process.execPath"];
    const path = await run(
      folder,
      "npx",
      ["--yes", "--package", `node@${version}`, "--", ...print],
    );
    paths.set(version, dirname(path.trim()));
  }
  const output = await run(
    ".",
    "npm",
    ["pack", "--json", "--pack-destination", folder],
  );
  [packed] = JSON.parse(output);
  tarball = join(folder, packed.filename);
  await run(folder, "npm", ["install", tarball]);
  await run(folder, "npm", ["pkg", "set", "type=module"]);
});
after(() => rm(folder, { recursive: true, force: true }));

test("npm pack includes only the necessary files", () => {
  console.log(`${packed.filename}: ${packed.size} bytes`);
  assert(packed.size <= MAX_PACKAGE, `${packed.size} bytes`);
  const others = packed.files.map(({ path }) => path).filter((path) =>
    !/^dist\/(?:[^/]+\.js|chunks\/[^/]+\.js|types\/.+\.d\.ts|LICENSES\.txt)$/
      .test(path)
  );
  assertEquals(others.sort(), [
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "dist/openapi.json",
    "dist/plants.arazzo.yaml",
    "package.json",
  ]);
});

test("the package has the documents that a CDN serves", async () => {
  const dist = join(folder, "node_modules/plant-store/dist");
  const printed = await run(folder, "npx", ["plant-store", "openapi"]);
  assertEquals(await readFile(join(dist, "openapi.json"), "utf8"), printed);
  const yaml = await run(folder, "npx", ["plant-store", "openapi", "--yaml"]);
  assertMatch(yaml, /^openapi: 3\.1\.0\n/);
  // The workflow names the document next to it.
  assertMatch(
    await readFile(join(dist, "plants.arazzo.yaml"), "utf8"),
    /^arazzo: 1\.[^]*^ {4}url: openapi\.json$/m,
  );
});

test("npm install adds only valibot and runs no scripts", async () => {
  const lock = JSON.parse(
    await readFile(join(folder, "package-lock.json"), "utf8"),
  );
  assertEquals(Object.keys(lock.packages), [
    "",
    "node_modules/plant-store",
    "node_modules/valibot",
  ]);
  for (const found of Object.values(lock.packages)) {
    assertEquals(
      (found as Record<string, unknown>)["hasInstallScript"],
      undefined,
    );
  }
});

/** Starts `npx plant-store` in a folder and returns its URL. */
async function startServer(
  t: TestContext,
  cwd: string,
  node: string,
): Promise<Running & { readonly url: string }> {
  const args = ["plant-store", "--port", "0"];
  const env = withNode(node);
  const server = startProgramFor(t, "npx", args, { cwd, env });
  const [, url] = await server.until("stdout", /^Listening on (.*)\n.+\n/);
  return { ...server, url: url! };
}

/** Lists all plants. */
async function list(url: string, token: string): Promise<unknown> {
  const response = await fetch(new URL("plants", url), {
    headers: { authorization: `Bearer ${token}` },
  });
  return await response.json();
}

for (const version of ["20", "26"]) {
  test(`npx plant-store serves demo data, then custom data, on Node.js ${version}`, async (t) => {
    const print = ["--print", "process.versions.node"];
    const found = await run(folder, "node", print, version);
    assertEquals(found.split(".")[0], version);
    const printed = await run(
      folder,
      "npx",
      ["plant-store", "--version"],
      version,
    );
    assertEquals(printed, `${metadata.version}\n`);

    const demo = await startServer(t, folder, version);
    await demo.until(
      "stderr",
      /^plant-store: .*serving demo data.*"plant-store init".*$/m,
    );
    assertEquals(await list(demo.url, "demo-curator"), plants);

    const shop = await makeFolder(t);
    await cp(folder, shop, { recursive: true });
    const token = await run(shop, "npx", ["plant-store", "init"], version);
    await writeFile(join(shop, "data/plants.json"), '[{ "name": "a" }]');
    const custom = await startServer(t, shop, version);
    assertEquals(await list(custom.url, token.trim()), [{ name: "a" }]);
    const rejected = await list(custom.url, "demo-curator");
    assertEquals((rejected as { error: unknown }).error, 401);
  });
}

test("without the package postgres, a message says how to install it", async () => {
  const { ended } = startProgram(process.execPath, [
    "node_modules/plant-store/dist/cli.js",
    "--database-url=postgres://u@h/d",
  ], { cwd: folder });
  const { status, stderr } = await ended;
  assertEquals(
    stderr,
    'plant-store: cannot load the package "postgres"; run "npm install postgres"\n',
  );
  assertEquals(status, 1);
});

test("modules have the exports of their sources", async () => {
  for (const [name, source] of MODULES) {
    const script = `console.log(...Object.keys(await import("${name}")))`;
    const output = await run(
      folder,
      process.execPath,
      ["--input-type=module", "--eval", script],
    );
    const module = await import(`../../../${source}`);
    assertEquals(output.trim().split(" ").sort(), Object.keys(module).sort());
  }
});

/** Strict compiler options, which also check the declarations of packages. */
const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  target: "es2022",
  typeRoots: [join(TOOLS, "node_modules/@types")],
};
/** The programs in `consumer`, the types that each needs, and their output. */
const PROGRAMS = [
  ["library", [], "Monstera deliciosa\n200\n503\n2\n"],
  ["listener", ["node"], '{"status":"ok"}\n'],
] as const;
/** The commands that run a program. */
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  "Node 20": ["node"],
  "Node 26": ["node"],
  "Deno": ["npx", "--yes", "deno@2.9.6", "run", "--allow-all"],
  "Bun": ["npx", "--yes", "bun@1.4.5"],
};

for (const [program, types, printed] of PROGRAMS) {
  for (
    const [resolution, module] of [
      ["node16", "node16"],
      ["bundler", "esnext"],
    ] as const
  ) {
    test(`TypeScript accepts ${program}.ts with ${resolution}`, async () => {
      const source = `${program}.ts`;
      await cp(join(TOOLS, "consumer", source), join(folder, source));
      const compilerOptions = {
        ...STRICT,
        module,
        moduleResolution: resolution,
        types,
      };
      await writeFile(
        join(folder, "tsconfig.json"),
        JSON.stringify({ compilerOptions, files: [source] }),
      );
      await run(folder, bin("tsc"), ["--project", "."]);
    });
  }

  for (const [runtime, [command, ...args]] of Object.entries(RUNTIMES)) {
    test(`${program}.ts runs on ${runtime}`, async () => {
      const [, version] = /^Node (.*)/.exec(runtime) ?? [];
      const output = await run(
        folder,
        command!,
        [...args, `${program}.js`],
        version,
      );
      assertEquals(output, printed);
    });
  }
}

test("publint finds no problems", async () => {
  const output = await run(folder, bin("publint"), [
    "run",
    tarball,
    "--strict",
  ]);
  assertMatch(output, /All good!/);
});

test("Are the Types Wrong? finds no problems", async () => {
  await run(folder, bin("attw"), [tarball, "--profile", "esm-only"]);
});

/** The imports of a program with a memory store. */
const HANDLER =
  'export { createHandler, createMemoryStore } from "plant-store"';

/** The options for hosts without Node.js modules. */
const HOSTS: Readonly<Record<string, BuildOptions>> = {
  "a browser": { platform: "browser" },
  "a worker": { platform: "neutral", conditions: ["workerd", "worker"] },
};

for (const [host, options] of Object.entries(HOSTS)) {
  for (const from of ["the package", "its source"]) {
    test(`a bundle of ${from} for ${host} works and is small`, async () => {
      const { outputFiles, metafile } = await build({
        stdin: {
          contents: HANDLER,
          resolveDir: from === "the package" ? folder : ".",
        },
        ...from === "the package" && { tsconfigRaw: {} },
        ...options,
        bundle: true,
        format: "esm",
        minify: true,
        write: false,
        metafile: true,
      });
      const inputs = Object.keys(metafile.inputs).join("\n");
      assertEquals(inputs.includes("/dist/mod.js"), from === "the package");
      const [{ contents }] = outputFiles as [OutputFile];
      const size = gzipSync(contents).length;
      console.log(`${from}: ${contents.length} bytes, ${size} gzipped`);
      assert(size <= MAX_HANDLER, `${size} bytes`);

      const code = Buffer.from(contents).toString("base64");
      const { createHandler, createMemoryStore } = await import(
        `data:text/javascript;base64,${code}`
      );
      const handler = createHandler(
        createMemoryStore({ plants: [], users: {} }),
      );
      const response = await handler(new Request("http://localhost/healthz"));
      assertEquals(await response.json(), { status: "ok" });
    });
  }
}

test("JSR accepts the package, and its examples run with its name on JSR", async () => {
  // JSR may be unreachable.
  const folder = "dist/jsr";
  const { imports } = offline;
  const names = Object.entries(config.exports).map(([path, source]) => [
    path.replace(/^\./, config.name),
    source,
  ]);
  const path = join(folder, "deno.offline.json");
  const std = Object.entries(imports).filter(([, to]) => !to.startsWith("."));
  await writeFile(
    path,
    JSON.stringify({
      ...config,
      imports: Object.fromEntries([...std, ...names]),
    }),
  );
  const deno = (...args: readonly string[]) =>
    startProgram("npx", ["--yes", "deno@2.9.6", ...args], { cwd: folder })
      .ended;

  const examples = await deno(
    ...["test", "--allow-all", "--doc", "--config=deno.offline.json"],
    ...Object.values(config.exports).filter((file) => !/cli/.test(file)),
  );
  assertEquals(examples.status, 0, `${examples.stdout}${examples.stderr}`);
  assertMatch(examples.stdout, /^ok \| [1-9]\d* passed/m);

  const { status, stdout, stderr } = await deno(
    ...["publish", "--dry-run", "--allow-dirty", "--config=deno.offline.json"],
  );
  const output = `${stdout}${stderr}`;
  assertEquals(status, 0, output);
  assertMatch(output, /Dry run complete/);
  const files = Array.from(
    output.matchAll(/^ +(file:\S+) \(/gm),
    ([, url]) => relative(folder, fileURLToPath(url!)),
  );
  for (const source of Object.values(config.exports)) {
    assert(files.includes(relative(".", source)), source);
  }
  const others = files.filter((file) => !/^(?:src|data)[/\\]/.test(file));
  assertEquals(others.sort(), [
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "deno.offline.json",
    "mod.ts",
    "package.json",
  ]);
});
