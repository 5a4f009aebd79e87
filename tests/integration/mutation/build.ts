import { readdir, readFile } from "node:fs/promises";
import { build } from "esbuild";

// Bundles the unit tests that run in one process, so that they start fast. Each
// property is tried with fewer examples.

const LEFT_OUT = /^(?:openapi|page|serve|watch)_/;

const tests = (await readdir("tests/unit"))
  .filter((file) => file.endsWith("_test.ts") && !LEFT_OUT.test(file))
  .map((file) => `tests/unit/${file}`);

await build({
  entryPoints: ["tests/contract/handler_test.ts", ...tests],
  outdir: "tests",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "warning",
  plugins: [{
    name: "fewer examples",
    setup(build) {
      build.onLoad({ filter: /\/tests\/.*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        const contents = text.replace(/numRuns: \d+_000/g, "numRuns: 500");
        return { contents, loader: "ts" };
      });
    },
  }],
});
