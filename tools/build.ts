import { spawnSync } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { build, type Metafile, type Plugin } from "esbuild";
import { writeDocument } from "../src/openapi/write.ts";
import { ENTRIES, MODULES, typesOf } from "./manifests.ts";

// Builds the npm package in dist: a JavaScript file for each module, declarations,
// and chunks of shared code, so that all modules use the same classes.

const DIST = "dist";

/** The packages that are not bundled. */
const EXTERNAL = ["node:*", "pg", "valibot"];

/** The licenses of the bundled packages. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ["deno-std", "tools/std/LICENSE"],
  ["jsonc-parser", "node_modules/jsonc-parser/LICENSE.md"],
]);

/** Bundles only what the command line reads from package.json. */
const metadata: Plugin = {
  name: "metadata",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]package\.json$/ }, async ({ path }) => {
      const { version, engines } = JSON.parse(await readFile(path, "utf8"));
      return { contents: JSON.stringify({ version, engines }), loader: "json" };
    });
  },
};

async function buildModules(): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: Object.fromEntries(ENTRIES),
    outdir: DIST,
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2022",
    charset: "utf8",
    external: EXTERNAL,
    plugins: [metadata],
    minify: true,
    metafile: true,
    logLevel: "warning",
  });
  return metafile;
}

/** Writes the licenses of the bundled packages. */
async function writeNotices({ inputs }: Metafile): Promise<void> {
  const names = new Set(
    Object.keys(inputs).flatMap((path) => {
      const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
      return name ?? [];
    }),
  );
  const notices = [...names].sort().map(async (name) => {
    const path = NOTICES.get(name);
    if (path === undefined) {
      throw new Error(`no license file is listed for ${name}`);
    }
    return `${name}\n\n${(await readFile(path, "utf8")).trim()}\n`;
  });
  await writeFile(
    join(DIST, "LICENSES.txt"),
    `The files in this folder contain parts of these packages.\n\n${
      (await Promise.all(notices)).join(`\n${"-".repeat(72)}\n\n`)
    }`,
  );
}

/** An import in a declaration file, outside comments. */
const IMPORT = /^((?:import|export) [^;]*?from )"([^"]+)"/gm;

/** A reference to a library that some declarations need. JSR does not allow it in source files. */
const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';

/** Writes the declarations that the modules use, directly or indirectly. */
async function buildTypes(): Promise<void> {
  const folder = join(DIST, "declarations");
  const args = ["--project", "tools/tsconfig.build.json", "--outDir", folder];
  const tsc = ["--no", "--", "tsc", ...args];
  const { status } = spawnSync("npx", tsc, { stdio: "inherit" });
  if (status !== 0) throw new Error("tsc failed");
  // The set grows while the loop runs.
  const sources = new Set(MODULES.map(([, source]) => source));
  for (const source of sources) {
    const target = typesOf(source);
    const path = join(folder, relative(typesOf("./"), target));
    const text = await readFile(path, "utf8");
    const declarations = text.replace(IMPORT, (found, before, name: string) => {
      if (name.startsWith(".")) {
        sources.add(`./${join(dirname(source), name)}`);
        return `${before}"${name.replace(/\.ts$/, ".js")}"`;
      }
      if (/^(?:node:|valibot$)/.test(name)) return found;
      throw new Error(`${source}: the types of ${name} are not in the package`);
    });
    const lib = text.includes("AsyncDisposable") ? DISPOSABLE : "";
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, lib + declarations);
  }
  await rm(folder, { recursive: true });
}

/** Writes the API documents that tools load from a CDN, with a local server URL. */
async function writeDocuments(): Promise<void> {
  await writeFile(
    join(DIST, "openapi.json"),
    writeDocument("http://127.0.0.1:8000"),
  );
  await copyFile(
    "src/openapi/plants.arazzo.yaml",
    join(DIST, "plants.arazzo.yaml"),
  );
}

await rm(DIST, { recursive: true, force: true });
try {
  await writeNotices(await buildModules());
  await writeDocuments();
  await buildTypes();
} catch (error) {
  console.error(`build: ${(error as Error).message}`);
  process.exitCode = 1;
}
