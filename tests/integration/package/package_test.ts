import { cp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { after, test, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { build, type BuildOptions } from "esbuild";
import plants from "../../../data/plants.json" with { type: "json" };
import metadata from "../../../package.json" with { type: "json" };
import { MODULES } from "../../../tools/manifests.ts";
import { BUN, DENO } from "../../../tools/runtimes.ts";
import type { Running } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";
import { readDocument } from "../../support/markdown.ts";
import {
  runProgram,
  startProgram,
  startProgramFor,
} from "../../support/program.ts";
import { list } from "../../support/send.ts";

// Tests the packed package, installed in an empty folder.

/** Limits in bytes: the packed package, and the minified and gzipped handler. */
const MAX_PACKAGE = 150_000, MAX_HANDLER = 12_000;

const TOOLS = resolve("tests/integration/package");

/** Runs a program, which must succeed, and returns its output. */
async function run(
  cwd: string,
  program: string,
  ...args: readonly string[]
): Promise<string> {
  return (await runProgram(program, args, { cwd })).stdout;
}

/** The folder where the package is installed. */
const folder = await makeFolder({ after });

const PACK = ["pack", "--json", "--ignore-scripts"];

/** The output of `npm pack --json`. The commands in README.md build the package, too. */
const [packed]: readonly {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}[] = JSON.parse(
  await run(".", "npm", ...PACK, `--pack-destination=${folder}`),
);
const { filename, size, files } = packed!;
await run(folder, "npm", "install", join(folder, filename));
await run(folder, "npm", "pkg", "set", "type=module");

test("npm pack includes only the necessary files", (t) => {
  t.diagnostic(`${filename}: ${size} bytes`);
  assert(size <= MAX_PACKAGE, `${size} bytes`);
  const expected =
    /^dist\/(?:[^/]+\.js|chunks\/[^/]+\.js|types\/.+\.d\.ts|LICENSES\.txt)$|^docs\/(?!index\.md$)[^/]+\.md$/;
  const others = files.map(({ path }) => path)
    .filter((path) => !expected.test(path));
  assertEquals(others.sort(), [
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "data/README.md",
    "dist/openapi.json",
    "dist/plants.arazzo.yaml",
    "examples/README.md",
    "examples/cloudflare_worker.ts",
    "package.json",
  ]);
});

/** A relative link that is not an image. */
const LINK = /(?<!!)\[[^\]]*\]\((?!https?:|#)([^)#\s]+)/g;

/** Files that only the repository has. */
const REPOSITORY =
  /^(?:\.ci|\.github|bench|data|deploy|examples|src|tests|tools)\/|^CONTRIBUTING\.md$/;

test("relative links of the package lead to files in it", async () => {
  const root = join(folder, "node_modules/plant-store");
  for (const { path } of files) {
    if (!path.endsWith(".md")) continue;
    const text = await readFile(join(root, path), "utf8");
    for (const [, link] of text.matchAll(LINK)) {
      const target = join(dirname(path), link!);
      if (REPOSITORY.test(target)) continue;
      await stat(join(root, target));
    }
  }
});

test("the package has the OpenAPI document that the command prints", async () => {
  const path = join(folder, "node_modules/plant-store/dist/openapi.json");
  const printed = await run(folder, "npx", "plant-store", "openapi");
  assertEquals(await readFile(path, "utf8"), printed);
});

test("npm install adds only valibot and runs no scripts", async () => {
  const lock = await readFile(join(folder, "package-lock.json"), "utf8");
  const packages: Readonly<Record<string, Readonly<Record<string, unknown>>>> =
    JSON.parse(lock).packages;
  assertEquals(Object.keys(packages), [
    "",
    "node_modules/plant-store",
    "node_modules/valibot",
  ]);
  for (const { hasInstallScript } of Object.values(packages)) {
    assertEquals(hasInstallScript, undefined);
  }
});

/** Starts `npx plant-store` in a folder and returns its URL. */
async function startServer(
  t: TestContext,
  cwd: string,
): Promise<Running & { readonly url: string }> {
  const args = ["plant-store", "--port", "0"];
  const server = startProgramFor(t, "npx", args, { cwd });
  const [, url] = await server.until("stdout", /^Listening on (.*)\n.+\n/);
  return { ...server, url: url! };
}

test("npx plant-store serves demo data, then custom data", async (t) => {
  const printed = await run(folder, "npx", "plant-store", "--version");
  assertEquals(printed, `${metadata.version}\n`);

  const demo = await startServer(t, folder);
  const [, init] = await demo.until(
    "stderr",
    /^plant-store: .*serving demo data.*; to create them, run: (.*)$/m,
  );
  assertEquals(await (await list(demo.url)).json(), plants);

  const shop = await makeFolder(t);
  await cp(folder, shop, { recursive: true });
  const token = await run(shop, "sh", "-c", init!);
  await writeFile(join(shop, "data/plants.json"), '[{ "name": "a" }]');
  const custom = await startServer(t, shop);
  const response = await list(custom.url, token.trim());
  assertEquals(await response.json(), [{ name: "a" }]);
  assertEquals((await list(custom.url)).status, 401);
});

for (const version of ["18", "20.18.0"]) {
  test(`npx plant-store rejects Node.js ${version} in one line`, async () => {
    const { ended } = startProgram("npx", [
      ...["--yes", "--package", `node@${version}`],
      ...["node", "node_modules/plant-store/dist/cli.js", "--version"],
    ], { cwd: folder });
    const { status, stdout, stderr } = await ended;
    assertEquals([status, stdout], [1, ""]);
    const message = new RegExp(
      `^plant-store: Node\\.js 20\\.19\\.2 or later is required, got ${version}.*\n$`,
    );
    assertMatch(stderr.replace(/^npm warn .*\n/gm, ""), message);
  });
}

test("npx plant-store verify links to the specification in the package", async (t) => {
  const { url } = await startServer(t, folder);
  const args = ["plant-store", "verify", url, "--only", "list.all"];
  const { status, stdout } = await startProgram("npx", args, { cwd: folder })
    .ended;
  assertEquals(status, 1);
  const [, link] = / section 1: (file:\S+)#1-resources\n/.exec(stdout)!;
  assert((await readFile(new URL(link!), "utf8")).includes("## 1. Resources"));
});

test("without the package pg, a message says how to install it", async () => {
  const { ended } = startProgram(process.execPath, [
    "node_modules/plant-store/dist/cli.js",
    "--database-url=postgres://u@h/d",
  ], { cwd: folder });
  const { status, stderr } = await ended;
  assertEquals(
    stderr,
    'plant-store: cannot load the package "pg"; run "npm install pg"\n',
  );
  assertEquals(status, 1);
});

/** The commands that run a program. */
const RUNTIMES: readonly (readonly string[])[] = [
  [process.execPath],
  [...DENO, "run", "--allow-all"],
  BUN,
];

/** Runs a program in the folder on every runtime, with the same output. */
async function runEverywhere(program: string): Promise<string> {
  const [output, ...others] = await Promise.all(
    RUNTIMES.map(([command, ...args]) =>
      run(folder, command!, ...args, program)
    ),
  );
  assertEquals(others, [output, output]);
  return output!;
}

test("modules have the exports of their sources everywhere", async () => {
  const names = JSON.stringify(MODULES.map(([name]) => name));
  const script = `for (const name of ${names}) {
  console.log(Object.keys(await import(name)).sort().join());
}`;
  await writeFile(join(folder, "exports.js"), script);
  const sources = await Promise.all(
    MODULES.map(([, source]) => import(`../../../${source}`)),
  );
  const expected = sources.map((each) => Object.keys(each).sort().join());
  const output = await runEverywhere("exports.js");
  assertEquals(output.trim().split("\n"), expected);
});

/** Compiles files with strict options, which also check the package's declarations. */
async function compile(
  files: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipDefaultLibCheck: true,
    verbatimModuleSyntax: true,
    target: "es2022",
    typeRoots: [join(TOOLS, "node_modules/@types")],
    ...options,
  };
  const config = JSON.stringify({ compilerOptions, files });
  await writeFile(join(folder, "tsconfig.json"), config);
  await run(folder, join(TOOLS, "node_modules/.bin/tsc"), "--project", ".");
}

test("consumer.ts has correct types and runs everywhere", async () => {
  await cp(join(TOOLS, "consumer.ts"), join(folder, "consumer.ts"));
  const options = { module: "node16", moduleResolution: "node16", types: [] };
  await compile(["consumer.ts"], options);
  assertEquals(
    await runEverywhere("consumer.js"),
    "Monstera deliciosa\n200\n503\n2\n",
  );
});

test("the code blocks of library.md compile without the DOM library", async () => {
  const sources: string[] = [];
  for (const { language, text } of readDocument("docs/library.md").blocks) {
    if (language !== "ts") continue;
    const source = `library_${sources.length}.mts`;
    sources.push(source);
    await writeFile(join(folder, source), text);
  }
  assert(sources.length > 3);
  const resolution = { module: "esnext", moduleResolution: "bundler" };
  const libraries = { lib: ["es2023"], types: ["node"] };
  await compile(sources, { ...resolution, ...libraries, noEmit: true });
});

test("examples in the declarations need only this package and Valibot", async () => {
  const types = join(folder, "node_modules/plant-store/dist/types");
  const names = new Set<string>();
  for (const file of await readdir(types, { recursive: true })) {
    if (!file.endsWith(".d.ts")) continue;
    const text = await readFile(join(types, file), "utf8");
    const imports = text.matchAll(/^ *\* import .* from "(.*)";$/gm);
    for (const [, name] of imports) names.add(name!);
  }
  assert(names.size > 5);
  const allowed = /^plant-store(?:\/|$)|^valibot$|^node:/;
  assertEquals([...names].filter((name) => !allowed.test(name)), []);
});

/** The options for hosts without Node.js modules. */
const HOSTS: Readonly<Record<string, BuildOptions>> = {
  "a browser": { platform: "browser" },
  "a worker": { platform: "neutral", conditions: ["workerd", "worker"] },
};

/** Bundles code that uses the package, and loads the bundle. */
async function bundle(contents: string, options: BuildOptions) {
  const { outputFiles: [output] } = await build({
    ...options,
    stdin: { contents, resolveDir: folder },
    bundle: true,
    format: "esm",
    minify: true,
    write: false,
  });
  const code = Buffer.from(output!.contents);
  const url = `data:text/javascript;base64,${code.toString("base64")}`;
  return { code, module: await import(url) };
}

for (const [host, options] of Object.entries(HOSTS)) {
  test(`verify checks a handler in a bundle for ${host}`, async () => {
    const source = 'export { verify } from "plant-store/verify"';
    const { code, module } = await bundle(source, options);
    assertNotMatch(`${code}`, /^import\b|"node:/m);
    const { value } = await module.verify(() => Response.json([])).next();
    assertEquals([value.id, value.status], ["list.all", "failed"]);
  });

  test(`a bundle for ${host} works and is small`, async (t) => {
    const { code, module } = await bundle(
      'export { createHandler, createMemoryStore } from "plant-store"',
      options,
    );
    const size = gzipSync(code).length;
    t.diagnostic(`${code.length} bytes, ${size} gzipped`);
    assert(size <= MAX_HANDLER, `${size} bytes`);
    const { createHandler, createMemoryStore } = module;
    const handler = createHandler(createMemoryStore({ plants: [], users: {} }));
    const response = await handler(new Request("http://localhost/healthz"));
    assertEquals(await response.json(), { status: "ok" });
  });
}
