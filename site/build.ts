import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build, serve } from "vitepress";

// Builds the documentation site in dist/site, and can serve it:
//
//   npm run site -- [--base /plant-store/] [--serve]
//
// The tests use another folder: --out DIR.

const root = fileURLToPath(new URL("../", import.meta.url));
process.chdir(root);
const { values: { base, out, serve: isServed } } = parseArgs({
  options: {
    base: { type: "string", default: "/" },
    out: { type: "string", default: "dist/site" },
    serve: { type: "boolean", default: false },
  },
});
const LINKS = ["Home=../", "Tutorial=../tutorial", "HTTP API=../http-api"];
const outDir = resolve(out);
await build("docs", { base, outDir });
// The API explorer, whose API is live in the folder api.
execFileSync(
  process.execPath,
  [
    ...["--import", "tsx", "examples/service_worker/build.ts"],
    ...[join(outDir, "api"), ...LINKS],
  ],
  { stdio: "inherit" },
);
if (isServed) await serve({ root: "docs", base, port: 4173 });
