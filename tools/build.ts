import { spawnSync } from "node:child_process";
import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import { build, type Metafile } from "esbuild";
import config from "../deno.json" with { type: "json" };
import { writeDocument } from "../src/openapi/write.ts";

// Builds the npm package in dist: a JavaScript file for each module, chunks of shared
// code, so that all modules use the same classes, and declarations. The code is not
// minified, so that people can step into it.

/** The licenses of the bundled packages. */
const LICENSES: Readonly<Record<string, string>> = {
  "deno-std": "tools/std/LICENSE",
  fflate: "node_modules/fflate/LICENSE",
  "jsonc-parser": "node_modules/jsonc-parser/LICENSE.md",
};

async function buildModules(): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: Object.entries(config.exports).map(([path, source]) => ({
      in: source,
      out: path === "." ? "mod" : path.slice(2),
    })),
    outdir: "dist",
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[hash]",
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2022",
    charset: "utf8",
    external: ["node:*", "pg", "valibot"],
    metafile: true,
    logLevel: "warning",
  });
  return metafile;
}

/** Writes the licenses of the bundled packages. */
async function writeLicenses({ inputs }: Metafile): Promise<void> {
  const names = Object.keys(inputs).flatMap((path) =>
    /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []
  );
  let text = "The files in this folder contain parts of these packages.\n";
  for (const name of [...new Set(names)].sort()) {
    const path = LICENSES[name];
    if (path === undefined) throw new Error(`no license is listed for ${name}`);
    text += `\n${"-".repeat(72)}\n\n${name}\n\n${await readFile(path, "utf8")}`;
  }
  await writeFile("dist/LICENSES.txt", text);
}

/** Writes the declarations. */
async function buildTypes(): Promise<void> {
  const tsc = "node_modules/typescript/bin/tsc"; // npx would take half a second
  const args = [tsc, "--project", "tools/tsconfig.build.json"];
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) throw new Error("tsc failed");
  for (const name of await readdir("dist/types", { recursive: true })) {
    if (!name.endsWith(".d.ts")) continue;
    const path = `dist/types/${name}`;
    const text = await readFile(path, "utf8");
    // JSR does not allow these references in source files.
    const library = '/// <reference lib="esnext.disposable" />\n';
    if (text.includes("AsyncDisposable")) await writeFile(path, library + text);
  }
}

await rm("dist", { recursive: true, force: true });
await writeLicenses(await buildModules());
await buildTypes();
// Tools load the API document from a CDN, with a local server URL.
await writeFile("dist/openapi.json", writeDocument("http://127.0.0.1:8000"));
await copyFile(
  "src/cli/grade/handler_worker.js",
  "dist/chunks/handler_worker.js",
);
