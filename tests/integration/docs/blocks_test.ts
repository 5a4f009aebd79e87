import { execFile } from "node:child_process";
import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { after, describe, it, test } from "node:test";
import { promisify } from "node:util";
import { assert, assertEquals } from "@std/assert";
import { transform } from "esbuild";
import { diff, matches } from "../../../site/elements/printed.ts";
import { makeFolder } from "../../support/files.ts";
import {
  type Block,
  listFiles,
  readDocuments,
} from "../../../tools/markdown.ts";
import { createProject } from "../../support/project.ts";
import { openShell, type Shell } from "./shell.ts";

// Runs every block of the documents. Each document has a fresh copy of the checkout
// with its packages, or if it is about the library, a project in which only the packed
// package is installed. .ci/run runs `npm ci`, so the blocks do not. Only README.md
// starts the sources instead of a bundle. The blocks of a document run in order:
//
// - `sh` must exit with status 0. The block after it (`http`, `json`, or `text`)
//   is its output.
// - `console` contains commands after `$ `, each with its output.
// - `ts` is type-checked and runs on Node.js.
// - `diff` is applied.
// - `json` must parse.
//
// A server that prints `Listening on` runs until the next `##`, or if it starts
// before the first one, until the end. printed.ts compares the output. A comment
// before a block gives the reason not to run it, `<!-- not run: reason -->`, the file
// to save it as, `<!-- file: path -->`, or the file to insert it into, after the first
// line, `<!-- add to: path -->`. `<!-- instead -->` first stops the servers of the
// section, which the block starts in another way.

const exec = promisify(execFile);
const documents = readDocuments().map(({ path, blocks }) => ({
  path,
  // Each `npm ci` takes 12 s of CPU time.
  blocks: blocks.map((block) => ({
    ...block,
    text: block.text.replace(/^npm ci\b/m, "true"),
  })),
}));

/** The time limit for a block, in milliseconds. */
const timeout = 300_000;

const base = await makeFolder({ after });
const checkout = join(base, "checkout");
for (const file of listFiles()) await cp(file, join(checkout, file));
// JSR may be unreachable.
const config = JSON.parse(await readFile("deno.json", "utf8"));
const offline = await readFile("tools/deno.offline.json", "utf8");
const { imports } = JSON.parse(offline);
const text = JSON.stringify({ ...config, imports });
await writeFile(join(checkout, "deno.json"), text);
await exec("cp", ["-a", "dist", checkout]);

/** Copies the checkout, and links its packages, which no block changes. */
async function copyCheckout(name: string): Promise<string> {
  // README.md installs the clone by the name of its folder.
  const folder = join(base, name === "README.md" ? "plant-store" : name);
  await exec("cp", ["-a", checkout, folder]);
  // The tests that CONTRIBUTING.md runs write a bundle into the folder.
  if (name !== "CONTRIBUTING.md") {
    await symlink(resolve("node_modules"), join(folder, "node_modules"));
  } else await exec("cp", ["-al", "node_modules", folder]);
  if (name === "README.md") return folder;
  // Each start of the sources takes 1.2 s of CPU time more than the bundle.
  const bundle = "src/cli/grade/cli.js"; // next to handler_worker.js
  await cp(process.env["CLI"]!, join(folder, bundle));
  await writeFile(join(folder, "tools/start.mjs"), `import "../${bundle}";\n`);
  return folder;
}

/** Returns whether a block is run. */
function isRun({ comment, language }: Block): boolean {
  if (comment?.startsWith("not run:")) return false;
  return /^(?:file|add to):/.test(comment ?? "") ||
    !["http", "text", "json"].includes(language);
}

test("docs: blocks are valid", () => {
  for (const { path, blocks } of documents) {
    for (const [index, block] of blocks.entries()) {
      const { comment, language, text, line, isNext } = block;
      if (comment?.startsWith("add to:")) continue; // it is a part of a file
      if (language === "json") JSON.parse(text);
      if (comment?.startsWith("not run:")) continue;
      if (language !== "http" && language !== "text") continue;
      const before = blocks[index - 1]?.language ?? "";
      const isOutput = isNext && /^(?:sh|ts)$/.test(before);
      assert(isOutput, `${path}:${line}: no command`);
    }
  }
});

test("docs: TypeScript blocks have correct types", async () => {
  const folder = await copyCheckout("types");
  const files: string[] = [];
  for (const { path, blocks } of documents) {
    for (const { language, line, text } of blocks) {
      if (language !== "ts") continue;
      const file = `${path.replaceAll("/", "_")}_${line}.ts`;
      await writeFile(join(folder, file), text);
      files.push(file);
    }
  }
  const config = {
    extends: "./tsconfig.json",
    compilerOptions: { isolatedDeclarations: false, declaration: false },
    files,
    include: [],
  };
  const name = "tsconfig.docs.json";
  await writeFile(join(folder, name), JSON.stringify(config));
  const tsc = "node_modules/typescript/bin/tsc";
  const { stdout } = await exec("node", [tsc, "-p", name], { cwd: folder })
    .catch((error) => error);
  assertEquals(stdout, "");
});

describe("docs: blocks run", { concurrency: 2 }, () => {
  for (const { path, blocks } of documents) {
    if (!blocks.some(isRun)) continue;
    it(path, async (t) => {
      const isProject = path === "docs/library.md";
      const folder = isProject
        ? (await createProject(t)).folder
        : await copyCheckout(path.replaceAll("/", "_"));
      const own = isProject ? join(folder, "node_modules/plant-store") : folder;
      const shell = await openShell(t, folder, own);
      for (const [index, block] of blocks.entries()) {
        if (!isRun(block)) continue;
        const next = blocks[index + 1];
        const name = `${path}:${block.line} ${block.text.split("\n")[0]}`;
        await t.test(
          name,
          { timeout },
          () => run(shell, block, next?.isNext ? next : undefined),
        );
      }
    });
  }
});

/** Runs a block and compares its output with the next block. */
async function run(
  shell: Shell,
  { language, text, under, line, comment }: Block,
  next: Block | undefined,
): Promise<void> {
  /** Runs commands that must succeed and print a text. */
  async function succeed(commands: string, shown: string): Promise<void> {
    const { status, output } = await shell.run(commands, isComplete(shown));
    assertEquals(status ?? 0, 0, output);
    compare(output, shown);
  }
  /** Saves the block in the folder of the document. */
  async function save(name: string): Promise<string> {
    const path = join(shell.folder, name);
    await writeFile(path, text);
    return path;
  }

  await shell.enter(under[1] ?? "");
  if (comment === "instead") await shell.stop();
  const [, file] = /^file: (.+)/.exec(comment ?? "") ?? [];
  const [, changed] = /^add to: (.+)/.exec(comment ?? "") ?? [];
  const shown = next && /^(?:http|json|text)$/.test(next.language)
    ? next.text
    : "...";
  if (file !== undefined) {
    await succeed(`cp '${await save("block.txt")}' '${file}'`, "...");
  } else if (changed !== undefined) {
    await succeed(`sed -i '1r ${await save("block.txt")}' '${changed}'`, "...");
  } else if (language === "sh") {
    assert(!/\bpublish\b/.test(text), "a block must not publish");
    await succeed(text, shown);
  } else if (language === "console") {
    for (const each of text.split(/^\$ /m).slice(1)) {
      const [, command, shown] = /^((?:.*\\\n)*.*\n)([^]*)$/.exec(each)!;
      const commands = `set +e\n${command}`;
      const { output } = await shell.run(commands, isComplete(shown!));
      compare(output, shown!);
    }
  } else if (language === "ts") {
    const { code } = await transform(text, {
      loader: "ts",
      target: "es2022", // Node.js 20 does not know `using`
    });
    const path = join(shell.folder, `block_${line}.mjs`);
    await writeFile(path, code);
    await succeed(`(cd '${shell.folder}' && node '${path}')`, shown);
  } else if (language === "diff") {
    const apply = `git apply --verbose '${await save("block.txt")}' 2>&1`;
    // Line numbers are right, except those in src, which each change can move.
    const commands = text.startsWith("--- a/src/")
      ? apply
      : `applied=$(${apply}) && (! echo "$applied" | grep offset)`;
    await succeed(commands, "...");
  } else throw new Error(`${language || "text"} blocks cannot be run`);
}

function isComplete(shown: string): (output: string) => boolean {
  return (output) => matches(output, shown);
}

/** Compares output with the output in a document. */
function compare(output: string, shown: string): void {
  assertEquals(diff(output, shown), [], output);
}
