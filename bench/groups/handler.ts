import { Buffer } from "node:buffer";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { writeFile } from "node:fs/promises";
import { run } from "../lib/child.ts";
import { type Figure, judge } from "../lib/result.ts";
import { BENCH, ROOT } from "../lib/sides.ts";
import { spread } from "../lib/stats.ts";
import type { Group } from "./group.ts";

/** What an application that embeds the handler carries. */
export const handler: Group = {
  title: "Size of the embeddable handler",
  about:
    "Bundled for browsers and the like with all dependencies, minified, gzipped; 1 kB is 1,000 bytes.",
  rounds: 1, // a size does not vary
  async run({ folder }) {
    const figures: Figure[] = [];
    async function measure(...names: readonly string[]): Promise<Figure> {
      const entry = join(folder, "handler.ts");
      await writeFile(
        entry,
        `export { ${names.join(", ")} } from ${
          JSON.stringify(join(ROOT, "mod.ts"))
        };`,
      );
      const code = await run([
        join(BENCH, "node_modules/.bin/esbuild"),
        entry,
        "--bundle",
        "--minify",
        "--platform=neutral",
        "--format=esm",
        "--log-level=error",
      ], { cwd: ROOT });
      const name = names.join(" and ");
      figures.push(size(`${name}, minified`, Buffer.byteLength(code)));
      const zipped = size(
        `${name}, gzipped`,
        gzipSync(code, { level: 9 }).length,
      );
      figures.push(zipped);
      return zipped;
    }
    const { name, spread: reached } = await measure("createHandler");
    await measure("createHandler", "createMemoryStore");
    return {
      figures,
      targets: [judge(name, { atMost: 10 }, reached, "kB")],
    };
  },
};

function size(name: string, bytes: number): Figure {
  return { name, unit: "kB", spread: spread([bytes / 1e3]) };
}
