import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  type Block,
  listFiles,
  readDocuments,
} from "../../support/markdown.ts";
import { openShell, type Shell } from "./shell.ts";

// Every block of the documents is run, each document in a fresh copy of the
// checkout, from its first block to its last:
//
// - `sh` is run and must end with 0. What is shown in the block right after it
//   (`http`, `json`, `text`) is what it prints.
// - `console` has commands behind `$ `, each with what it prints.
// - `ts` is type-checked, and run on Node.
// - `diff` is applied.
// - `json` must parse.
//
// A block that prints `Listening on` goes on until the next `##`. `...` stands
// for anything in a line, on a line of its own for any lines. A comment before a
// block gives the reason why it isn't run, `<!-- not run: why -->`, or the file
// that it is saved as, `<!-- file: path -->`.

const exec = promisify(execFile);
const documents = readDocuments();

let base: string;
before(async () => {
  base = await mkdtemp(join(tmpdir(), "plant-store-docs-"));
  await copyCheckout(join(base, "checkout"));
  await exec("npm", ["ci", "--ignore-scripts"], {
    cwd: join(base, "checkout"),
  });
});
after(() => rm(base, { recursive: true, force: true }));

/** Copies what a clone would have. */
async function copyCheckout(folder: string): Promise<void> {
  for (const file of listFiles()) await cp(file, join(folder, file));
  // As deno.json, but for JSR, which may be out of reach.
  const config = JSON.parse(await readFile("deno.json", "utf8"));
  const { imports } = JSON.parse(
    await readFile("tools/deno.offline.json", "utf8"),
  );
  await writeFile(
    join(folder, "deno.json"),
    JSON.stringify({ ...config, imports }),
  );
}

/** Whether a block is to be run. */
function isRun({ comment, language }: Block): boolean {
  if (comment?.startsWith("not run:")) return false;
  return comment?.startsWith("file:") ||
    !["http", "text", "json", "mermaid"].includes(language);
}

test("docs: the blocks of TypeScript are checked", async () => {
  const folder = join(base, "types");
  await cp(join(base, "checkout"), folder, {
    recursive: true,
    verbatimSymlinks: true,
  });
  const names: string[] = [];
  for (const { path, blocks } of documents) {
    for (const { language, line, text } of blocks) {
      if (language !== "ts") continue;
      const name = `${path.replaceAll("/", "_")}_${line}.ts`;
      await writeFile(join(folder, name), text);
      names.push(name);
    }
  }
  await writeFile(
    join(folder, "tsconfig.docs.json"),
    JSON.stringify({
      extends: "./tsconfig.json",
      compilerOptions: { isolatedDeclarations: false, declaration: false },
      files: names,
      include: [],
    }),
  );
  const { stdout } = await exec("npx", ["tsc", "-p", "tsconfig.docs.json"], {
    cwd: folder,
  }).catch((error) => error);
  assertEquals(stdout, "");
});

for (const { path, blocks } of documents) {
  const wanted = blocks.filter(isRun);
  if (wanted.length === 0) continue;
  test(`docs: ${path} runs`, async (t) => {
    const folder = join(base, path.replaceAll("/", "_"));
    await cp(join(base, "checkout"), folder, {
      recursive: true,
      verbatimSymlinks: true,
    });
    const shell = await openShell(folder);
    t.after(() => shell.close());
    for (const [at, block] of blocks.entries()) {
      if (!isRun(block)) continue;
      const next = blocks[at + 1];
      await t.test(
        `${path}:${block.line} ${block.text.split("\n")[0]}`,
        () => run(shell, block, next?.isNext ? next : undefined),
      );
    }
  });
}

async function run(
  shell: Shell,
  block: Block,
  next: Block | undefined,
): Promise<void> {
  const { language, text, under, line, comment } = block;
  await shell.enter(under[1] ?? "");
  const [, file] = /^file: (.+)/.exec(comment ?? "") ?? [];
  if (file !== undefined) {
    await useBlock((block) => `cp '${block}' '${file}'`);
    return;
  }
  switch (language) {
    case "sh": {
      const isShown = next && ["http", "json", "text"].includes(next.language);
      const shown = isShown ? next.text : "...";
      const { status, output } = await shell.run(text, matches(shown));
      assertEquals(status ?? 0, 0, output);
      compare(output, shown);
      break;
    }
    case "console":
      for (const each of text.split(/^\$ /m).slice(1)) {
        const [, command, shown] = /^((?:.*\\\n)*.*\n)([^]*)$/.exec(each)!;
        const { output } = await shell.run(
          `set +e\n${command}`,
          matches(shown!),
        );
        compare(output, shown!);
      }
      break;
    case "ts": {
      const name = `block_${line}.ts`;
      await writeFile(join(shell.folder, name), text);
      const shown = next?.language === "text" ? next.text : "...";
      const { status, output } = await shell.run(
        `node --import tsx ${name}`,
        matches(shown),
      );
      assertEquals(status ?? 0, 0, output);
      compare(output, shown);
      break;
    }
    case "diff":
      await useBlock((block) => `git apply '${block}'`);
      break;
    default:
      throw new Error(`a block in ${language || "no language"} can't be run`);
  }

  /** Runs a command with the text of the block in a file. */
  async function useBlock(command: (path: string) => string): Promise<void> {
    const path = join(shell.folder, "block.txt");
    await writeFile(path, text);
    const { status, output } = await shell.run(command(path));
    assertEquals(status, 0, output);
  }
}

/** Fields that differ from run to run, or from runtime to runtime. */
const VARYING = /^(?:date|connection|keep-alive|x-request-id):/i;

/** Compares what was printed with what is shown. */
function compare(output: string, shown: string): void {
  assertMatch(normalize(output), toPattern(shown));
}

function matches(shown: string): (output: string) => boolean {
  return (output) => toPattern(shown).test(normalize(output));
}

function toPattern(shown: string): RegExp {
  const pattern = normalize(shown).split("\n").map((line) =>
    line === "..." ? "[^]*" : line.split("...").map(escape).join(".*")
  ).join("\n");
  return new RegExp(`^${pattern}$`);
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** Text as it counts: of an answer over HTTP, the fields in any order and case. */
function normalize(text: string): string {
  const lines = text.replaceAll("\r", "").trim();
  const [, start, fields, body] =
    /^(HTTP\/.*)\n((?:[\w-]+:.*\n?)*)([^]*)$/.exec(
      lines,
    ) ?? [];
  if (start === undefined) return lines;
  const kept = fields!.trim().split("\n")
    .filter((field) => !VARYING.test(field))
    .map((field) => field.replace(/^[^:]+/, (name) => name.toLowerCase()))
    .sort();
  return [start.trim(), ...kept, "", body!.trim()].join("\n");
}

test("docs: what isn't run says why, and what is JSON parses", () => {
  for (const { path, blocks } of documents) {
    for (const [at, block] of blocks.entries()) {
      const { comment, language, text, line, isNext } = block;
      const place = `${path}:${line}`;
      if (comment?.startsWith("not run:")) {
        assertMatch(comment, /^not run: .{10}/, place);
      } else if (language === "http" || language === "text") {
        const before = blocks[at - 1]?.language ?? "";
        assert(isNext && /^(?:sh|ts)$/.test(before), `${place} shows what?`);
      }
      if (language === "json") JSON.parse(text);
    }
  }
});
