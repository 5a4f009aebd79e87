import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, relative } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertEquals, assertMatch } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { DENO } from "../../../tools/runtimes.ts";
import { makeFolder } from "../../support/files.ts";
import { listen } from "../../support/port.ts";
import { runProgram, startProgramFor } from "../../support/program.ts";
import { list } from "../../support/send.ts";

// Tests deno.json unmodified, with an empty cache, against a JSR registry on
// loopback. The registry serves the installed deno-std, which has no types, with
// the declarations in tools/std.

const LIBRARY = "node_modules/deno-std";
const { version } = JSON.parse(
  await readFile(`${LIBRARY}/package.json`, "utf8"),
);

/** The modules that the packages export. */
const PACKAGES = {
  assert: { ".": "./assert/mod.js" },
  http: { "./etag": "./http/etag.js", "./status": "./http/status.js" },
  text: { "./levenshtein-distance": "./text/levenshtein_distance.js" },
  yaml: { "./parse": "./yaml/parse.js", "./stringify": "./yaml/stringify.js" },
};

/** The files of the library by path; each package contains them all. */
const files = new Map<string, string>();
for (const path of await readdir(LIBRARY, { recursive: true })) {
  if (!path.endsWith(".js")) continue;
  files.set(`/${path}`, await readFile(`${LIBRARY}/${path}`, "utf8"));
}
for (const module of Object.values(PACKAGES).flatMap(Object.values<string>)) {
  const path = module.slice(1), types = path.replace(/js$/, "d.ts");
  const pragma = `// @ts-self-types="./${basename(types)}"\n`;
  files.set(path, pragma + files.get(path));
  files.set(types, await readFile(`tools/std${types}`, "utf8"));
}

/** The responses of the registry by path. */
const responses = new Map<string, string>();
for (const [name, exports] of Object.entries(PACKAGES)) {
  const base = `/@std/${name}`;
  const manifest: Record<string, unknown> = {};
  for (const [path, text] of files) {
    const digest = createHash("sha256").update(text).digest("hex");
    const size = Buffer.byteLength(text);
    manifest[path] = { size, checksum: `sha256-${digest}` };
    responses.set(`${base}/${version}${path}`, text);
  }
  const meta = { scope: "std", name, versions: { [version]: {} } };
  responses.set(`${base}/meta.json`, JSON.stringify(meta));
  const versionMeta = JSON.stringify({ manifest, exports });
  responses.set(`${base}/${version}_meta.json`, versionMeta);
}

const registry = createServer(({ url }, response) => {
  const body = responses.get(url!);
  response.writeHead(body === undefined ? 404 : 200).end(body);
});
const port = await listen({ after }, registry);

const env = {
  JSR_URL: `http://127.0.0.1:${port}/`,
  DENO_DIR: await makeFolder({ after }),
  IMPORT_MAP: "",
};
const [command, ...prefix] = DENO;

/** Runs Deno, which must succeed, and returns its output. */
async function run(cwd: string, ...args: readonly string[]): Promise<string> {
  const options = { cwd, env };
  const ended = await runProgram(command!, [...prefix, ...args], options);
  return ended.stdout + ended.stderr;
}

test("deno task start serves plants", async (t) => {
  const args = [...prefix, "task", "start", "--port=0"];
  const running = startProgramFor(t, command!, args, { env });
  const [, url] = await running.until("stdout", /^Listening on (.*)\n/);
  assertEquals((await list(url!)).status, 200);
});

test("deno task test finds correct types; tests that see the registry pass", async () => {
  await run(".", "task", "test", "--no-run");
  const file = "tests/unit/deno_permissions_test.ts";
  const output = await run(".", "test", "--allow-all", file);
  assertMatch(output, /^ok \| [1-9]\d* passed/m);
});

test("JSR accepts the package, whose examples run", async () => {
  await runProgram("npm", ["run", "-s", "build"]);
  const folder = "dist/jsr";
  const sources = Object.values(config.exports);
  const modules = sources.filter((source) => !source.includes("/cli/"));
  const options = ["--allow-all", "--doc"];
  const examples = await run(folder, "test", ...options, ...modules);
  assertMatch(examples, /^ok \| [1-9]\d* passed/m);

  const output = await run(folder, "publish", "--dry-run", "--allow-dirty");
  const files = Array.from(
    output.matchAll(/^ +(file:\S+) \(/gm),
    ([, url]) => `./${relative(folder, fileURLToPath(url!))}`,
  );
  assertEquals(sources.filter((source) => !files.includes(source)), []);
  const library = /^\.\/(?:src\/(?!page\/client\/)|data\/)/;
  const others = files.filter((file) => !library.test(file));
  assertEquals(
    others.sort().join(" "),
    "./CHANGELOG.md ./LICENSE ./README.md ./deno.json ./mod.ts ./package.json",
  );
});
