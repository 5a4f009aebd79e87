import { cp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { after, test, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { build, type BuildOptions } from "esbuild";
import plants from "../../../data/plants.json" with { type: "json" };
import metadata from "../../../package.json" with { type: "json" };
import { MODULES } from "../../../tools/manifests.ts";
import { BUN, DENO } from "../../../tools/runtimes.ts";
import { makeFolder } from "../../support/files.ts";
import { createProject, PACKAGES } from "../../support/project.ts";
import {
  runProgram,
  startProgram,
  startProgramFor,
} from "../../../tools/start_program.ts";
import { list } from "../../../tools/send.ts";

// Tests the packed package, installed in an empty folder.

/** Limits in bytes: the packed package, and the minified and gzipped handler. */
const MAX_PACKAGE = 200_000, MAX_HANDLER = 10_900;

/** Runs a program, which must succeed, and returns its output. */
async function run(cwd: string, program: string, ...args: string[]) {
  return (await runProgram(program, args, { cwd })).stdout;
}

/** An old version of the TypeScript compiler. */
const OLD_TSC = join(PACKAGES, ".bin/tsc");

const { folder, filename, size, files } = await createProject({ after });
const root = join(folder, "node_modules/plant-store");
await run(folder, "npm", "pkg", "set", "type=module");

test("the package is small and has only the necessary files", () => {
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
    "examples/README.md",
    "examples/cloudflare_worker.ts",
    "examples/lesson/step-4/handler.mjs",
    "package.json",
  ]);
});

test("publint finds no problems in the package", async () => {
  const publint = join(PACKAGES, ".bin/publint");
  await run(folder, publint, "run", filename, "--strict");
});

test("relative links in the README of the package lead to files in it", async () => {
  const text = await readFile(join(root, "README.md"), "utf8");
  const links = text.matchAll(/(?<!!)\[[^\]]*\]\((?!https?:|#)([^)#]+)/g);
  for (const [, link] of links) {
    if (link === "CONTRIBUTING.md") continue; // for a clone
    await stat(join(root, link!));
  }
});

test("npm install adds only valibot and runs no scripts", async () => {
  const lock = await readFile(join(folder, "package-lock.json"), "utf8");
  const packages: Readonly<Record<string, object>> = JSON.parse(lock).packages;
  const names = ["", "node_modules/plant-store", "node_modules/valibot"];
  assertEquals(Object.keys(packages), names);
  assertEquals(lock.includes("hasInstallScript"), false);
});

/** What npx runs in a project; npx itself takes a second. */
const PROGRAM = "node_modules/.bin/plant-store";

/** Starts a server in a folder, with its URL. */
async function startServer(t: TestContext, cwd: string, ...options: string[]) {
  const args = ["--port", "0", ...options];
  const server = startProgramFor(t, PROGRAM, args, { cwd });
  const [, url] = await server.until("stdout", /^Listening on (.*)\n.+\n/);
  return { ...server, url: url! };
}

test("npx plant-store serves and verifies demo data, then custom data", async (t) => {
  const printed = await run(folder, "npx", "plant-store", "--version");
  assertEquals(printed, `${metadata.version}\n`);

  const bare = ["--port", "0"];
  const { ended } = startProgram(PROGRAM, bare, { cwd: folder });
  const [, init, demo] = (await ended).stderr.match(
    /^plant-store: .*; to create them, run: (.*); to serve .*, run: npx plant-store (.*)$/m,
  )!;
  const server = await startServer(t, folder, demo!);
  assertEquals(await (await list(server.url)).json(), plants);
  await run(folder, PROGRAM, "verify", "--write-data", "data");
  const own = await startServer(t, folder);
  const args = ["verify", own.url, "--only", "list.all"];
  assertMatch(await run(folder, PROGRAM, ...args), /1 of 1 test cases passed/);
  await rm(join(folder, "data"), { recursive: true });

  const shop = await makeFolder(t);
  await cp(folder, shop, { recursive: true });
  const token = await run(shop, "sh", "-c", init!);
  await writeFile(join(shop, "data/plants.json"), '[{ "name": "a" }]');
  const custom = await startServer(t, shop);
  const response = await list(custom.url, token.trim());
  assertEquals(await response.json(), [{ name: "a" }]);
});

const STUDENT = resolve("examples/lesson/step-4");

// With a variable in the script, npm keeps a shell between itself and the server.
const script = "scripts.start=LOG=off plant-store --demo --port 0";
await run(folder, "npm", "pkg", "set", script);
for (const command of ["npx plant-store --demo --port 0", "npm start"]) {
  test(`SIGTERM stops the server of ${command}`, async (t) => {
    const [program = "", ...args] = command.split(" ");
    const npm = startProgramFor(t, program, args, { cwd: folder });
    await npm.until("stdout", /Listening on /);
    process.kill(npm.process.pid!, "SIGTERM");
    await npm.ended; // the server, too, because it shares the output
  });
}

test("in a clone, messages name npx plant-store, too", async () => {
  const options = { cwd: "src" }; // without data
  const { ended } = startProgram("npx", ["plant-store", "check"], options);
  assertMatch(
    (await ended).stderr,
    /; to create it, run: npx plant-store init/,
  );
});

test("npx plant-store grade starts its workers", async () => {
  const { ended } = startProgram(PROGRAM, ["grade", STUDENT], { cwd: folder });
  assertMatch((await ended).stdout, /^step-4 +(\d+) of \1$/m);
});

test("without the package pg, a message says how to install it", async () => {
  const args = [join(root, "dist/cli.js"), "--database-url=postgres://u@h/d"];
  const { ended } = startProgram(process.execPath, args, { cwd: folder });
  const { status, stderr } = await ended;
  assertEquals(status, 1);
  assertMatch(stderr, /^plant-store: .*"pg"; run "npm install pg"\n$/);
});

/** The commands that run a program. */
const RUNTIMES: readonly (readonly string[])[] = [
  [process.execPath],
  [...DENO, "run", "--allow-all"],
  BUN,
];

/** Runs a program in the folder on every runtime, with the same output. */
async function runEverywhere(program: string): Promise<string> {
  const running = RUNTIMES.map(([command, ...args]) =>
    run(folder, command!, ...args, program)
  );
  const [output, ...others] = await Promise.all(running);
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

test("consumer.ts has correct types and runs everywhere", async () => {
  const path = "tests/integration/package/consumer.ts";
  const source = await readFile(path, "utf8");
  const code = source.replaceAll("../../../data/", "./");
  await writeFile(join(folder, "consumer.ts"), code);
  for (const file of ["plants.json", "tokens.json"]) {
    await cp(`data/${file}`, join(folder, file));
  }
  for (
    const [tsc, options] of [
      // The current version, without the DOM library
      [resolve("node_modules/.bin/tsc"), {
        module: "esnext",
        moduleResolution: "bundler",
        lib: ["es2023"],
        types: ["node"],
      }],
      // An old version, without the types of Node.js
      [OLD_TSC, { module: "nodenext", types: [] }],
    ] as const
  ) {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      resolveJsonModule: true,
      skipDefaultLibCheck: true, // but not those of the package
      verbatimModuleSyntax: true,
      target: "es2022",
      typeRoots: [join(PACKAGES, "@types")],
      ...options,
    };
    const config = { compilerOptions, files: ["consumer.ts"] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    await run(folder, tsc, "--project", ".");
  }
  const expected = "object\nMonstera deliciosa\n200\n503\n2\ntrue\n";
  assertEquals(await runEverywhere("consumer.js"), expected);
});

test("TypeScript finds the main module without its exports", async () => {
  const source = 'export { createHandler } from "plant-store";\n';
  await writeFile(join(folder, "main.ts"), source);
  const options = ["--noEmit", "--target", "es2022", "--module", "commonjs"];
  // The types are those of the previous test.
  await run(folder, OLD_TSC, ...options, "--skipLibCheck", "main.ts");
});

/** The options for hosts without Node.js modules. */
const HOSTS: Readonly<Record<string, BuildOptions>> = {
  "a browser": { platform: "browser" },
  "a worker": { platform: "neutral", conditions: ["workerd", "worker"] },
};

/** Bundles exports of a module of the package, and loads the bundle. */
async function bundle(names: string, module: string, options: BuildOptions) {
  const contents = `export { ${names} } from "${module}";`;
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
  test(`bundles for ${host} work, and that of the handler is small`, async () => {
    const verify = await bundle("verify", "plant-store/verify", options);
    assertEquals(/^import\b|"node:/m.test(`${verify.code}`), false);
    const { value } = await verify.module.verify(() => Response.json([]))
      .next();
    assertEquals([value.id, value.status], ["list.all", "failed"]);

    const names = "createHandler, createMemoryStore";
    const { code, module } = await bundle(names, "plant-store", options);
    const { length } = gzipSync(code);
    assert(length <= MAX_HANDLER, `${length} bytes`);
    const { createHandler, createMemoryStore } = module;
    const handler = createHandler(createMemoryStore({ plants: [], users: {} }));
    const response = await handler(new Request("http://localhost/healthz"));
    assertEquals(await response.json(), { status: "ok" });
    assertEquals([response.url, response.statusText], ["", ""]); // unlike fetch()
  });
}

test("bundlers find the database driver", async () => {
  const options: BuildOptions = { platform: "node", external: ["pg"] };
  const module = "plant-store/postgres";
  const { code } = await bundle("openPostgresStore", module, options);
  assert(code.includes('import("pg")'));
});
