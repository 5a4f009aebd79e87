import { cp, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { after, test, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { build, type BuildOptions, type OutputFile } from "esbuild";
import plants from "../../../data/plants.json" with { type: "json" };
import metadata from "../../../package.json" with { type: "json" };
import { MODULES } from "../../../tools/manifests.ts";
import { BUN, DENO } from "../../../tools/runtimes.ts";
import type { Running } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";
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

/** The output of `npm pack --json`. The commands in README.md build the package, too. */
const [packed]: readonly {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}[] = JSON.parse(
  await run(
    ".",
    "npm",
    "pack",
    "--json",
    "--ignore-scripts",
    `--pack-destination=${folder}`,
  ),
);
const { filename, size, files } = packed!;
await run(folder, "npm", "install", join(folder, filename));
await run(folder, "npm", "pkg", "set", "type=module");

test("npm pack includes only the necessary files", () => {
  console.log(`${filename}: ${size} bytes`);
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
    "examples/service_worker/README.md",
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
      // The documents refer to source files, but README.md does not.
      if (path !== "README.md" && REPOSITORY.test(target)) continue;
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

test("modules have the exports of their sources", async () => {
  const names = JSON.stringify(MODULES.map(([name]) => name));
  const script = `for (const name of ${names}) {
  console.log(Object.keys(await import(name)).sort().join());
}`;
  const options = ["--input-type=module", "--eval", script];
  const output = await run(folder, process.execPath, ...options);
  const sources = await Promise.all(
    MODULES.map(([, source]) => import(`../../../${source}`)),
  );
  const expected = sources.map((each) => Object.keys(each).sort().join());
  assertEquals(output.trim().split("\n"), expected);
});

/** Strict compiler options, which also check the declarations of packages. */
const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipDefaultLibCheck: true,
  verbatimModuleSyntax: true,
  target: "es2022",
  typeRoots: [join(TOOLS, "node_modules/@types")],
};
/** The programs in `consumer`, how each resolves modules, and their output. */
const PROGRAMS = [
  [
    "library",
    { module: "node16", moduleResolution: "node16", types: [] },
    "Monstera deliciosa\n200\n503\n2\n",
  ],
  [
    "listener",
    { module: "esnext", moduleResolution: "bundler", types: ["node"] },
    '{"status":"ok"}\n',
  ],
] as const;
/** The commands that run a program. */
const RUNTIMES: readonly (readonly string[])[] = [
  [process.execPath],
  [...DENO, "run", "--allow-all"],
  BUN,
];

for (const [program, options, printed] of PROGRAMS) {
  test(`${program}.ts has correct types and runs everywhere`, async () => {
    const source = `${program}.ts`;
    await cp(join(TOOLS, "consumer", source), join(folder, source));
    const config = {
      compilerOptions: { ...STRICT, ...options },
      files: [source],
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    await run(folder, join(TOOLS, "node_modules/.bin/tsc"), "--project", ".");
    for (const [command, ...args] of RUNTIMES) {
      const output = await run(folder, command!, ...args, `${program}.js`);
      assertEquals(output, printed, command!);
    }
  });
}

test("the code blocks of embedding.md compile without the DOM library", async () => {
  const text = await readFile("docs/embedding.md", "utf8");
  const sources: string[] = [];
  for (const [, block] of text.matchAll(/^```ts\n([^]*?)^```$/gm)) {
    const source = `embedding_${sources.length}.mts`;
    sources.push(source);
    await writeFile(join(folder, source), block!);
  }
  assert(sources.length > 3);
  const options = { module: "nodenext", lib: ["es2023"], types: ["node"] };
  const compilerOptions = { ...STRICT, ...options, noEmit: true };
  const config = JSON.stringify({ compilerOptions, files: sources });
  await writeFile(join(folder, "tsconfig.json"), config);
  await run(folder, join(TOOLS, "node_modules/.bin/tsc"), "--project", ".");
});

test("editors show documentation whose examples need no other package", async () => {
  const names = ["createHandler", "createMemoryStore", "withBehavior"];
  const path = join(folder, "hover.mts");
  const source = `import { ${names.join(", ")} } from "plant-store";\n`;
  await writeFile(path, source);
  const { default: ts } = await import(
    pathToFileURL(join(TOOLS, "node_modules/typescript/lib/typescript.js")).href
  );
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => true,
    getCompilationSettings: () => ({ module: ts.ModuleKind.NodeNext }),
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [path],
    getScriptSnapshot: (name: string) =>
      ts.ScriptSnapshot.fromString(ts.sys.readFile(name) ?? ""),
    getScriptVersion: () => "1",
  });
  for (const name of names) {
    const info = service.getQuickInfoAtPosition(path, source.indexOf(name));
    const example = info.tags.find((tag: { name: string }) =>
      tag.name === "example"
    );
    const shown = ts.displayPartsToString(example.text);
    const imports = Array.from(
      shown.matchAll(/from "(.*)"/g),
      ([, from]) => from,
    );
    assertEquals(imports, ["plant-store"], name);
  }
});

/** The options for hosts without Node.js modules. */
const HOSTS: Readonly<Record<string, BuildOptions>> = {
  "a browser": { platform: "browser" },
  "a worker": { platform: "neutral", conditions: ["workerd", "worker"] },
};

for (const [host, options] of Object.entries(HOSTS)) {
  test(`verify checks a handler in a bundle for ${host}`, async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: 'export { verify } from "plant-store/verify"',
        resolveDir: folder,
      },
      ...options,
      bundle: true,
      format: "esm",
      write: false,
    });
    const [{ text, contents }] = outputFiles as [OutputFile];
    assert(!/^import\b|"node:/m.test(text));
    const code = Buffer.from(contents).toString("base64");
    const { verify } = await import(`data:text/javascript;base64,${code}`);
    const { value } = await verify(() => Response.json([])).next();
    assertEquals([value.id, value.status], ["list.all", "failed"]);
  });

  test(`a bundle for ${host} works and is small`, async () => {
    const { outputFiles } = await build({
      stdin: {
        contents:
          'export { createHandler, createMemoryStore } from "plant-store"',
        resolveDir: folder,
      },
      ...options,
      bundle: true,
      format: "esm",
      minify: true,
      write: false,
    });
    const [{ contents }] = outputFiles as [OutputFile];
    const size = gzipSync(contents).length;
    console.log(`${contents.length} bytes, ${size} gzipped`);
    assert(size <= MAX_HANDLER, `${size} bytes`);

    const code = Buffer.from(contents).toString("base64");
    const { createHandler, createMemoryStore } = await import(
      `data:text/javascript;base64,${code}`
    );
    const handler = createHandler(createMemoryStore({ plants: [], users: {} }));
    const response = await handler(new Request("http://localhost/healthz"));
    assertEquals(await response.json(), { status: "ok" });
  });
}
