import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { posix } from "node:path";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { listFiles } from "../../../tools/markdown.ts";

// Enforces the layers: the domain, HTTP, and the edges.

// `npm run check` does not need the packages of the tests, such as an old compiler
// that lists imports.
const typescript = createRequire(import.meta.url)("typescript");

/** The imports of each file: paths of files, and names of packages. */
const graph = new Map<string, readonly string[]>();

for (const file of listFiles()) {
  if (!/^(?:mod|(?:src|tools|bench|site)\/.*)\.m?ts$/.test(file)) continue;
  const text = await readFile(file, "utf8");
  const { importedFiles } = typescript.preProcessFile(text);
  graph.set(
    file,
    importedFiles
      .map(({ fileName: name }: { readonly fileName: string }) =>
        name.startsWith(".") ? posix.join(posix.dirname(file), name) : name
      )
      .filter((name: string) => !name.endsWith(".json")),
  );
}

/** Returns every direct and indirect import of a file. */
function reach(file: string, seen: Set<string> = new Set()): Set<string> {
  for (const name of graph.get(file) ?? []) {
    if (seen.has(name)) continue;
    seen.add(name);
    reach(name, seen);
  }
  return seen;
}

test("imports: there are no cycles", () => {
  assert([...graph.values()].flat().length > 200);
  const cyclic = [...graph.keys()].filter((file) => reach(file).has(file));
  assertEquals(cyclic, []);
});

/** What the modules of each folder can import, in addition to the same folder. */
const LAYERS: Readonly<Record<string, RegExp>> = {
  "core/internal": /^valibot$/,
  "core/domain": /^src\/core\/internal\/|^valibot$/,
  "core/http": /^src\/core\/(?:internal|domain)\/|^valibot$/,
  "core/stores": /^src\/core\/(?:internal|domain)\//,
  core: /^valibot$/,
  shared: /^src\/core\//,
  verify:
    /^src\/shared\/|^src\/core\/(?:internal\/|domain\/(?:access|plant|user)\.ts$)|^node:https$/,
  explorer: /^src\/(?:core|shared)\//,
  openapi: /^src\/(?:core|shared)\//,
  server: /^src\/(?:core|shared)\/|^@std\/http\/|^node:/,
  stores: /^src\/(?:core|shared)\/|^valibot$|^jsonc-parser$|^pg$|^node:/,
  cli: /./, // combines all of them
};

/** Returns the folder of a module in src that a rule is for. */
function findFolder(file: string): string | undefined {
  return /^src\/(core\/[^/]+(?=\/)|[^/]+)/.exec(file)?.[1];
}

test("imports: each folder has a rule, and imports no outer layer", () => {
  const folders = [...graph.keys()].flatMap((file) => findFolder(file) ?? []);
  assertEquals([...new Set(folders)].sort(), Object.keys(LAYERS).sort());
  const outer = [...graph].flatMap(([file, names]) => {
    const folder = findFolder(file);
    const others = names.filter((name) => !name.startsWith(`src/${folder}/`));
    return folder === undefined
      ? []
      : others.filter((name) => !LAYERS[folder]!.test(name))
        .map((name) => `${file} imports ${name}`);
  });
  assertEquals(outer, []);
});

test("imports: mod.ts reaches only src/core", () => {
  const others = [...reach("mod.ts")]
    .filter((name) => !name.startsWith("src/core/"));
  assertEquals(others, ["valibot"]);
});

test("imports: of the explorer, the site uses only what needs no other page", () => {
  const shared = "src/explorer/client/shared/";
  for (const folder of ["site/", shared]) {
    const files = [...graph].filter(([file]) => file.startsWith(folder));
    const used = files.flatMap(([, names]) => names)
      .filter((name) => name.startsWith("src/explorer/"));
    assert(used.length > 0);
    assertEquals(used.filter((name) => !name.startsWith(shared)), [], folder);
  }
});

test("imports: tests are not a library", () => {
  const users = [...graph].filter(([, names]) =>
    names.some((name) => name.startsWith("tests/"))
  );
  assertEquals(users, []);
});
