import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, hash } from "../../tools/explorer.ts";

/** Writes the page in the frame of the lab, whose policy blocks all requests. */
export async function buildFrame(folder: string): Promise<void> {
  const create = (name: string, define: Record<string, string> = {}) =>
    bundle(fileURLToPath(new URL(name, import.meta.url)), {
      minify: true,
      format: "iife",
      target: "es2022",
      define,
    });
  const WORKER = JSON.stringify(await create("worker.ts"));
  // Otherwise, the HTML parser would end the script there.
  const script = (await create("frame.ts", { WORKER }))
    .replaceAll("</script", "<\\/script");
  const source = `'${hash(script)}' blob:`;
  const policy = `default-src 'none'; script-src ${source}; worker-src blob:`;
  const html = `<!DOCTYPE html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Sandbox of the lab</title>
<script>${script}</script>
`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "index.html"), html);
}
