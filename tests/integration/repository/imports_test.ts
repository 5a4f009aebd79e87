import { readdir, readFile } from "node:fs/promises";
import { posix } from "node:path";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";

// The layers of the code: the domain, HTTP, and the edges.

/** `import ... from "x"`, `export ... from "x"`, `import "x"`, `import("x")`, of types too. */
const IMPORT =
  /^(?:import|export)\b[^;"']*?\bfrom\s*"([^"]+)"|^import\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/gm;

/** A file without its comments: docstrings have examples. */
async function readCode(file: string): Promise<string> {
  const text = await readFile(file, "utf8");
  return text.replace(/^\s*(?:\/\*|\*|\/\/).*$/gm, "");
}

/** What each module imports: files by their path in the checkout, packages by their name. */
async function readGraph(): Promise<ReadonlyMap<string, readonly string[]>> {
  const files = (await readdir("src", { recursive: true }))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `src/${file.replaceAll("\\", "/")}`);
  const graph = new Map<string, readonly string[]>();
  for (const file of ["mod.ts", ...files]) {
    const text = await readCode(file);
    graph.set(
      file,
      Array.from(text.matchAll(IMPORT), ([, from, bare, dynamic]) => {
        const name = (from ?? bare ?? dynamic)!;
        if (!name.startsWith(".")) return name;
        return posix.join(posix.dirname(file), name);
      }).filter((name) => !name.endsWith(".json")),
    );
  }
  return graph;
}

const graph = await readGraph();

/** What `file` comes to import, by whatever way. */
function reach(file: string, seen: Set<string> = new Set()): Set<string> {
  for (const name of graph.get(file) ?? []) {
    if (seen.has(name)) continue;
    seen.add(name);
    reach(name, seen);
  }
  return seen;
}

test("imports: every file is found, and every import leads to one", () => {
  assert(graph.size > 80, `${graph.size} modules`);
  const names = [...graph].flatMap(([file, names]) =>
    names.map((name) => [file, name] as const)
  );
  assert(names.length > 200, `${names.length} imports`);
  const missing = names.filter(([, name]) =>
    /^src\/.*\.ts$/.test(name) && !graph.has(name)
  );
  assertEquals(missing, []);
});

test("imports: there are no cycles", () => {
  const cyclic = [...graph.keys()].filter((file) => reach(file).has(file));
  assertEquals(cyclic, []);
});

/** What the modules of a folder can import. */
const LAYERS: Readonly<Record<string, RegExp>> = {
  domain: /^src\/domain\/|^valibot$/,
  http: /^src\/(?:domain|http)\/|^valibot$|^@std\/http\//,
  page: /^src\/(?:domain|http|page)\/|^@std\/http\//,
  openapi: /^src\/(?:domain|http|openapi)\/|^@std\/http\//,
  server: /^src\/(?:domain|http|server)\/|^@std\/http\/|^node:/,
  stores:
    /^src\/(?:domain|stores)\/|^valibot$|^jsonc-parser$|^postgres$|^node:/,
};

for (const [folder, allowed] of Object.entries(LAYERS)) {
  test(`imports: src/${folder} imports nothing from an outer layer`, () => {
    const files = [...graph.keys()].filter((file) =>
      file.startsWith(`src/${folder}/`)
    );
    assert(files.length > 0);
    for (const file of files) {
      const others = graph.get(file)!.filter((name) => !allowed.test(name));
      assertEquals(others, [], file);
    }
  });
}

for (const file of ["mod.ts", "src/page/page.ts", "src/openapi/openapi.ts"]) {
  test(`imports: ${file} asks for no file and no runtime`, async () => {
    const names = [file, ...reach(file)];
    const packages = names.filter((name) => !graph.has(name));
    const allowed = /^(?:valibot|@std\/http\/\w+)$/;
    assertEquals(packages.filter((name) => !allowed.test(name)), []);
    for (const name of names.filter((name) => graph.has(name))) {
      const found = /\b(?:Deno|Bun|process)\.\w+/.exec(await readCode(name));
      assertEquals(found?.[0], undefined, name);
    }
  });
}
