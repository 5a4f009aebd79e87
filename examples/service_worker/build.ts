import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions } from "esbuild";
import { createDemoStore } from "plant-store";
import { createStaticExplorer } from "plant-store/explorer";

// Builds the static site, with links to other pages such as Home=../index.html:
//
//   node --import tsx examples/service_worker/build.ts DIR [TEXT=URL ...]

const [folder, ...links] = process.argv.slice(2);
if (folder === undefined) throw new Error("missing argument DIR");
const options: BuildOptions = {
  absWorkingDir: fileURLToPath(new URL(".", import.meta.url)),
  outdir: resolve(folder),
  bundle: true,
  minify: true,
};
await mkdir(folder, { recursive: true });
await build({
  ...options,
  entryPoints: ["live.ts", "api.ts"],
  format: "esm",
  splitting: true, // live.js loads api.js only if there is no worker
});
await build({
  ...options,
  entryPoints: ["worker.ts"],
  format: "iife", // not every browser supports modules in service workers
});
const page = await createStaticExplorer(createDemoStore(), {
  script: "live.js",
  links: Object.fromEntries(links.map((link) => link.split(/=(.*)/s, 2))),
});
await writeFile(join(folder, "index.html"), page);
