import { readdir, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { assert } from "@std/assert";
import { build } from "esbuild";

// Runs the examples in docstrings, and checks the values that their comments state.
// Editors show the examples to users, who have no assertion library.

/** The code blocks of docstrings. */
const BLOCK = /^ \* ```ts\n([^]*?)^ \* ```$/gm;

/** `console.log(VALUE); // EXPECTED`, on one line or two. */
const LOGGED = /console\.log\((.*)\);\s*\/\/ (.*)$/gm;

const files = (await readdir("src", { recursive: true }))
  .filter((file) => file.endsWith(".ts")).map((file) => `src/${file}`);

let checks = 0;
for (const file of ["mod.ts", ...files]) {
  const text = await readFile(file, "utf8");
  for (const [at, [, block]] of [...text.matchAll(BLOCK)].entries()) {
    const code = block!.replace(/^ \* ?/gm, "").replace(LOGGED, (...found) => {
      checks++;
      return `assertEquals(${found[1]}, ${found[2]});`;
    });
    test(`${file}: example ${at + 1} is correct`, async () => {
      const outfile = resolve(
        `node_modules/.cache/plant-store/${
          file.replaceAll("/", "-")
        }-${at}.mjs`,
      );
      await build({
        stdin: {
          contents: `import { assertEquals } from "@std/assert";\n${code}`,
          resolveDir: ".",
          loader: "ts",
        },
        outfile,
        bundle: true,
        packages: "external",
        tsconfig: "tsconfig.json",
        format: "esm",
        platform: "node",
      });
      await import(pathToFileURL(outfile).href);
    });
  }
}

test("docstrings have examples with values", () => {
  assert(checks > 15, `${checks}`);
});
