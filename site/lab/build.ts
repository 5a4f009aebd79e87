import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Bundles a script. */
async function bundle(
  name: string,
  define: Record<string, string> = {},
): Promise<string> {
  const { outputFiles: [output] } = await build({
    entryPoints: [fileURLToPath(new URL(name, import.meta.url))],
    write: false,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    define,
  });
  return output!.text;
}

/** Writes the page in the frame of the lab, whose policy blocks all requests. */
export async function buildFrame(folder: string): Promise<void> {
  const WORKER = JSON.stringify(await bundle("worker.ts"));
  // Otherwise, the HTML parser would end the script there.
  const script = (await bundle("frame.ts", { WORKER }))
    .replaceAll("</script", "<\\/script");
  const digest = createHash("sha256").update(script).digest("base64");
  const policy =
    `default-src 'none'; script-src 'sha256-${digest}' blob:; worker-src blob:`;
  const html = `<!DOCTYPE html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Sandbox of the lab</title>
<script>${script}</script>
`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "index.html"), html);
}
