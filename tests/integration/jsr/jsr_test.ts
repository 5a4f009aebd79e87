import { cp, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertEquals, assertMatch } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { makeFolder } from "../../support/files.ts";
import { runProgram } from "../../support/program.ts";

// Tests the package for JSR. Its imports come from npm, because JSR may be
// unreachable; CI runs the tests with deno.json itself on other platforms.

test("JSR accepts the package, whose examples run", async (t) => {
  const cwd = await makeFolder(t);
  await cp("dist/jsr", cwd, { recursive: true });
  const offline = await readFile(OFFLINE_MAP, "utf8");
  const { imports } = JSON.parse(offline.replaceAll('"../', '"./'));
  const published = JSON.parse(await readFile("dist/jsr/deno.json", "utf8"));
  const text = JSON.stringify({ ...published, imports });
  await writeFile(join(cwd, "deno.json"), text);
  const [command, ...prefix] = DENO;
  /** Runs Deno, which must succeed, and returns its output. */
  async function run(...args: readonly string[]): Promise<string> {
    const all = [...prefix, ...args];
    const { stdout, stderr } = await runProgram(command!, all, { cwd });
    return stdout + stderr;
  }

  // README.md installs the package from npm; the package tests run its code.
  const code = (text: string) => text.match(/^```[^]*?^```/gm);
  const readme = await readFile(join(cwd, "README.md"), "utf8");
  assertEquals(code(readme), code(await readFile("README.md", "utf8")));

  const sources = Object.values(config.exports);
  const modules = sources.filter((source) => !source.includes("/cli/"));
  const examples = await run("test", "--allow-all", "--doc", ...modules);
  assertMatch(examples, /^ok \| [1-9]\d* passed/m);

  const output = await run("publish", "--dry-run", "--allow-dirty");
  const files = Array.from(
    output.matchAll(/^ +(file:\S+) \(/gm),
    ([, url]) => `./${relative(cwd, fileURLToPath(url!))}`,
  );
  assertEquals(sources.filter((source) => !files.includes(source)), []);
  const library = /^\.\/(?:src\/(?!page\/client\/)|data\/)/;
  const others = files.filter((file) => !library.test(file));
  assertEquals(others.sort(), [
    "./CHANGELOG.md",
    "./LICENSE",
    "./README.md",
    "./deno.json",
    // `verify` links to the specification.
    "./docs/http-api.md",
    "./docs/verify.md",
    "./mod.ts",
    "./package.json",
  ]);
});
