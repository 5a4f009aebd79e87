import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import config from "../deno.json" with { type: "json" };
import metadata from "../package.json" with { type: "json" };
import { REPOSITORY } from "./repository.ts";

// Writes the files that deno.json includes to dist/jsr, for JSR. Docstrings import
// the package by its JSR name. Relative links in the README point to the
// repository, because JSR does not have the other files.

const DIST = "dist/jsr";

/** The URL of the files in the repository, if package.json has one. */
const files = REPOSITORY && `${REPOSITORY}/blob/v${metadata.version}/`;

/** Changes imports in docstrings to the JSR name of the package. */
function renameImports(text: string): string {
  return text.replace(
    /(from )"plant-store(\/\w+)?"/g,
    (_, from, path = "") => `${from}"${config.name}${path}"`,
  );
}

/** Makes relative links absolute, or removes them if there is no repository. */
function resolveLinks(text: string): string {
  return text.replace(
    /(!?)\[([^\]]*)\]\((?!https?:)([^)]+)\)/g,
    (_, image, name, target) =>
      files ? `${image}[${name}](${files}${target})` : name,
  );
}

await rm(DIST, { recursive: true, force: true });
for (const path of [...config.publish.include, "deno.json"]) {
  await cp(path, join(DIST, path), { recursive: true });
}
for (const path of await readdir(DIST, { recursive: true })) {
  if (!/\.ts$|^README\.md$/.test(path)) continue;
  const file = join(DIST, path);
  const change = path === "README.md" ? resolveLinks : renameImports;
  await writeFile(file, change(await readFile(file, "utf8")));
}
