import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import process from "node:process";
import { test, type TestContext } from "node:test";
import {
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import metadata from "../../../package.json" with { type: "json" };
import { DENO } from "../../../tools/runtimes.ts";
import { makeFolder } from "../../support/files.ts";
import { listFiles } from "../../support/markdown.ts";
import { runProgram, startProgram } from "../../support/program.ts";

const OWNER = "https://github.com/an-owner/a-name";

/** Creates a clone in which nothing is published yet. */
async function createClone(t: TestContext) {
  const folder = await makeFolder(t);
  for (const file of listFiles()) await cp(file, join(folder, file));
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  const bin = await makeFolder(t);
  for (const name of ["bash", "npm"]) {
    const script = `#!/bin/sh\necho "ran ${name} $*"\n`;
    await writeFile(join(bin, name), script, { mode: 0o755 });
  }
  const git = (...args: readonly string[]) =>
    runProgram(
      "git",
      ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args],
      { cwd: folder },
    );
  const read = (path: string) => readFile(join(folder, path), "utf8");
  const tool = (name: string) => ["--import", "tsx", `tools/${name}.ts`];
  await git("init", "--quiet");
  return {
    folder,
    read,
    async edit(path: string, change: (text: string) => string) {
      await writeFile(join(folder, path), change(await read(path)));
    },
    /** Commits all changes. */
    async commit() {
      await git("add", "--all");
      await git("commit", "--quiet", "--message=a");
    },
    async generate() {
      const options = { cwd: folder };
      await runProgram(process.execPath, tool("generate"), options);
    },
    /** Runs `npm run release`, which succeeds in every check that it starts. */
    release: (...args: readonly string[]) =>
      startProgram(process.execPath, [...tool("release"), ...args], {
        cwd: folder,
        env: { PATH: `${bin}${delimiter}${process.env["PATH"]}` },
      }).ended,
  };
}

/** Sets the owner as CONTRIBUTING.md describes. */
function setOwner(text: string): string {
  const repository = { type: "git", url: `git+${OWNER}.git` };
  return JSON.stringify({ ...JSON.parse(text), repository });
}

/** Moves the changes under Unreleased to the version of the package. */
function closeChangelog(text: string): string {
  const end = text.indexOf("\n## [", text.indexOf("## [Unreleased]"));
  const version = `## [${metadata.version}] - 2030-01-01`;
  return `${
    text.slice(0, text.indexOf("## [Unreleased]"))
  }## [Unreleased]\n\n${version}\n${text.slice(end)}`;
}

test("without a repository, a release lists everything that is missing, and changes nothing", async (t) => {
  const clone = await createClone(t);
  await clone.edit("package.json", (text) => {
    const { repository: _, ...rest } = JSON.parse(text);
    return JSON.stringify({ ...rest, version: "9.9.9" });
  });
  await clone.generate();
  // The page has no external links.
  assertNotMatch(
    await clone.read("src/explorer/content.ts"),
    /<a href="https?:/,
  );
  await clone.edit(
    "CHANGELOG.md",
    (text) =>
      text.replace("## [Unreleased]\n", "## [Unreleased]\n\n- A change.\n"),
  );
  await clone.edit("README.md", (text) =>
    `${text}\n<!-- unpublished -->

Clone.

<!-- published

Install.

-->
`);
  const readme = await clone.read("README.md");
  const { status, stdout, stderr } = await clone.release("--tag", "v9.9.8");
  assertEquals([status, stdout], [1, ""]);
  const [first, ...items] = stderr.trim().split("\n- ");
  assertEquals(first, "release: not ready:");
  for (
    const [index, message] of [
      /^package\.json has no repository/,
      /^the version is 9\.9\.9 in package\.json/,
      /^CHANGELOG\.md has changes/,
      /^there are uncommitted changes$/,
      /^the tag is v9\.9\.8, but/,
      /^README\.md.* describe a clone/,
    ].entries()
  ) assertMatch(items[index] ?? "", message);
  assertEquals(items.length, 6);
  assertEquals(await clone.read("README.md"), readme);
});

test("with a repository, all links lead to it, and a release switches the documents and runs every check", async (t) => {
  const clone = await createClone(t);
  await clone.edit("package.json", setOwner);
  await clone.edit("CHANGELOG.md", closeChangelog);
  await clone.generate();
  const { homepage, bugs } = JSON.parse(await clone.read("package.json"));
  assertEquals([homepage, bugs], [`${OWNER}#readme`, `${OWNER}/issues`]);
  for (const path of ["README.md", "SECURITY.md", "docs/deploying.md"]) {
    assertStringIncludes(await clone.read(path), `\n[repository]: ${OWNER}\n`);
  }
  const html = await clone.read("src/explorer/content.ts");
  assertStringIncludes(html, `<a href="${OWNER}">Source</a>`);

  await runProgram(process.execPath, ["--import", "tsx", "tools/jsr.ts"], {
    cwd: clone.folder,
  });
  const base = `${OWNER}/blob/v${metadata.version}/`;
  const onJsr = await clone.read("dist/jsr/README.md");
  assertStringIncludes(onJsr, `[Tutorial](${base}docs/tutorial.md)`);
  assertEquals(onJsr.match(/\]\((?!https:)/), null);
  await clone.commit();

  const first = await clone.release();
  assertEquals([first.status, first.stdout], [1, ""]);
  assertMatch(first.stderr, /^release: switched README\.md, .*commit them/);
  const readme = await clone.read("README.md");
  assertNotMatch(readme, /published/);
  assertStringIncludes(readme, "Run `npm install plant-store`");
  assertStringIncludes(readme, "deno run -NRE jsr:@plant-store/");
  assertNotMatch(await clone.read("SECURITY.md"), /not published/);
  const [deno, ...args] = [...DENO, "fmt", "--check", "--quiet"];
  await runProgram(deno!, args, { cwd: clone.folder });

  await clone.commit();
  const tag = `v${metadata.version}`;
  const tagged = await clone.release("--tag", tag);
  assertEquals([tagged.status, tagged.stdout, tagged.stderr], [0, "", ""]);
  const { status, stdout } = await clone.release();
  assertEquals(status, 0);
  const ran = Array.from(stdout.matchAll(/^ran (.*)$/gm), ([, each]) => each);
  assertEquals(ran, [
    "bash .ci/run",
    "npm run -s audit",
    "npm audit signatures",
    "npm pack --dry-run",
  ]);
  assertStringIncludes(stdout, `git tag ${tag}`);
});
