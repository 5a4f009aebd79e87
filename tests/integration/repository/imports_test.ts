import { readdir, readFile } from "node:fs/promises";
import { posix } from "node:path";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";

// Enforces the layers: the domain, HTTP, and the edges.

/** `import ... from "x"`, `export ... from "x"`, `import "x"`, and `import("x")`. */
const IMPORT =
  /^(?:import|export)\b[^;"']*?\bfrom\s*"([^"]+)"|^import\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/gm;

/** The imports of each file: paths of files, and names of packages. */
const graph = new Map<string, readonly string[]>();

/** Returns the paths of the modules in a folder. */
async function findModules(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true }))
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter((file) => /\.m?ts$/.test(file) && !file.includes("node_modules"));
}

const files = await Promise.all(
  ["src", "tools", "bench", "site"].map(findModules),
);
for (const file of ["mod.ts", ...files.flat()]) {
  const text = await readFile(file, "utf8");
  // Docstrings have examples.
  const code = text.replace(/^\s*(?:\/\*|\*|\/\/).*$/gm, "");
  const names = Array.from(
    code.matchAll(IMPORT),
    ([, from, bare, dynamic]) => (from ?? bare ?? dynamic)!,
  ).filter((name) => !name.endsWith(".json"));
  graph.set(
    file,
    names.map((name) =>
      name.startsWith(".") ? posix.join(posix.dirname(file), name) : name
    ),
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
    /^src\/shared\/|^src\/core\/(?:internal\/|domain\/(?:access|plant|user)\.ts$)|^node:tls$/,
  explorer: /^src\/(?:core|shared)\//,
  openapi: /^src\/(?:core|shared)\//,
  server: /^src\/(?:core|shared)\/|^@std\/http\/|^node:/,
  stores: /^src\/(?:core|shared)\/|^valibot$|^jsonc-parser$|^pg$|^node:/,
  cli: /./, // combines all of them
};

/** Returns the names of the folders in a folder. */
async function findFolders(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

test("imports: each folder has a rule", async () => {
  const folders = [
    ...await findFolders("src"),
    ...(await findFolders("src/core")).map((name) => `core/${name}`),
  ];
  assertEquals(folders.sort(), Object.keys(LAYERS).sort());
});

test("imports: mod.ts reaches only src/core", () => {
  const others = [...reach("mod.ts")]
    .filter((name) => !name.startsWith("src/core/"));
  assertEquals(others, ["valibot"]);
});

test("imports: CONTRIBUTING.md says about how many lines of code each folder has", async () => {
  const text = await readFile("CONTRIBUTING.md", "utf8");
  const rows = [...text.matchAll(/^\| \[(src\/.+)\]\(.+\) +\| (\d+) /gm)];
  assertEquals(rows.length, 11);
  for (const [, folder, count] of rows) {
    const files = [...graph.keys()].filter((file) =>
      file.startsWith(`${folder}/`) && !file.endsWith("/content.ts")
    );
    const all = await Promise.all(files.map((file) => readFile(file, "utf8")));
    const lines = all.flatMap((code) =>
      code.replace(/\/\*[^]*?\*\//g, "").split("\n")
    ).filter((line) => /^\s*(?!\/\/)\S/.test(line));
    const ratio = lines.length / Number(count);
    assert(ratio > 0.9 && ratio < 1.1, `${folder}: ${lines.length} lines`);
  }
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

for (const [folder, allowed] of Object.entries(LAYERS)) {
  test(`imports: src/${folder} does not import an outer layer`, () => {
    const own = `src/${folder}/`;
    const files = [...graph].filter(([file]) => file.startsWith(own));
    assert(files.length > 0);
    for (const [file, names] of files) {
      const others = names.filter((name) => !name.startsWith(own));
      assertEquals(others.filter((name) => !allowed.test(name)), [], file);
    }
  });
}
