import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { createHandler } from "plant-store";
import { openapi } from "plant-store/openapi";
import { page } from "plant-store/page";
import { store } from "../demo_store.ts";

// Builds the static site: `node --import tsx examples/service_worker/build.ts DIR`.

/** Returns the API explorer as a static page that first starts the worker. */
async function createPage(): Promise<string> {
  const handler = createHandler(store, { page, openapi });
  const response = await handler("/");
  const html = (await response.text())
    .replace('<html lang="en">', '<html lang="en" data-live>')
    .replace('<p id="no-worker" hidden>', '<p id="no-worker">')
    .replace(SCRIPT, (script) => `${script}import "./live.js";\n`);
  const start = html.indexOf(SCRIPT) + SCRIPT.length;
  const script = html.slice(start, html.indexOf("</script>", start));
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = response.headers.get("content-security-policy")!
    .replace(/script-src [^;]*/, `script-src 'self' 'sha256-${hash}'`)
    // A <meta> policy cannot contain frame-ancestors.
    .replace("frame-ancestors 'none'", "worker-src 'self'");
  return html.replace(
    "<head>",
    `<head>
<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
  );
}

const SCRIPT = '<script type="module">';

const folder = process.argv[2];
if (folder === undefined) throw new Error("missing argument DIR");
await mkdir(folder, { recursive: true });
await build({
  absWorkingDir: fileURLToPath(new URL(".", import.meta.url)),
  entryPoints: ["live.ts"],
  outdir: resolve(folder),
  bundle: true,
  format: "esm",
  minify: true,
});
await build({
  absWorkingDir: fileURLToPath(new URL(".", import.meta.url)),
  entryPoints: ["worker.ts"],
  outdir: resolve(folder),
  bundle: true,
  format: "iife", // not every browser supports modules in service workers
  minify: true,
});
await writeFile(join(folder, "index.html"), await createPage());
