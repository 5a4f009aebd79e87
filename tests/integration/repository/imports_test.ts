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

const files = (await readdir("src", { recursive: true }))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => `src/${file.replaceAll("\\", "/")}`);
for (const file of ["mod.ts", ...files]) {
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

/** What the modules of each folder can import, as CONTRIBUTING.md describes. */
const LAYERS: Readonly<Record<string, RegExp>> = {
  domain: /^src\/domain\/|^valibot$/,
  http: /^src\/(?:domain|http)\/|^valibot$|^@std\/http\//,
  stores: /^src\/(?:domain|stores)\/|^valibot$|^jsonc-parser$|^pg$|^node:/,
  server: /^src\/(?:domain|http|server)\/|^node:/,
  explorer: /^src\/(?:domain|http|explorer)\/|^src\/verify\/curl\.ts$/,
  openapi: /^src\/(?:domain|http|openapi)\//,
  verify: /^src\/(?:domain|verify)\/|^node:https?$/,
};

for (const [folder, allowed] of Object.entries(LAYERS)) {
  test(`imports: src/${folder} does not import an outer layer`, () => {
    const files = [...graph].filter(([file]) =>
      file.startsWith(`src/${folder}/`)
    );
    assert(files.length > 0);
    for (const [file, names] of files) {
      assertEquals(names.filter((name) => !allowed.test(name)), [], file);
    }
  });
}

test("imports: plant-store/verify needs Node.js modules only for a URL", () => {
  const files = [...graph].filter(([file, names]) =>
    file.startsWith("src/verify/") &&
    names.some((name) => name.startsWith("node:"))
  );
  assertEquals(files.map(([file]) => file), ["src/verify/send_to_url.ts"]);
});
