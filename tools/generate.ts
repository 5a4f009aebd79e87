import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { fillDocument, listDocuments } from "./documents.ts";
import { createPlantsSchema, createTokensSchema } from "./json_schemas.ts";
import {
  createDenoConfig,
  createOfflineMap,
  createPackage,
  createTypesConfig,
} from "./manifests.ts";
import { createPageModule } from "./page.ts";

// Writes the generated files: JSON Schemas, the page, the shared parts of the
// manifests, and the links in documents. With --check, writes nothing, and reports
// files that are out of date.

const toText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const FILES = new Map([
  ["package.json", toText(createPackage())],
  ["deno.json", toText(createDenoConfig())],
  ["tools/deno.offline.json", toText(createOfflineMap())],
  ["tsconfig.json", toText(createTypesConfig())],
  ["data/plants.schema.json", toText(createPlantsSchema())],
  ["data/tokens.schema.json", toText(createTokensSchema())],
  ["src/page/content.ts", await createPageModule()],
]);

for (const path of await listDocuments()) {
  FILES.set(path, await fillDocument(path));
}

for (const [path, text] of FILES) {
  if (!process.argv.includes("--check")) {
    await writeFile(path, text);
  } else if (await readFile(path, "utf8").catch(() => "") !== text) {
    console.error(`${path} is out of date; run "npm run generate"`);
    process.exitCode = 1;
  }
}
