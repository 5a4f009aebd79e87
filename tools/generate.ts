import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { fillHelp } from "./help.ts";
import { createPlantsSchema, createTokensSchema } from "./json_schemas.ts";
import { createLesson, listLesson } from "./lesson.ts";
import { createManifests } from "./manifests.ts";
import { createExplorerModule } from "./explorer.ts";

// Writes the generated files: JSON Schemas, the API explorer, the shared parts of the
// manifests, the help in docs/operating.md, and the folders of the lesson. With
// --check, writes nothing, and reports files that are out of date.

const toText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const FILES = new Map([
  ...Object.entries(createManifests())
    .map(([path, value]) => [path, toText(value)] as const),
  ["data/plants.schema.json", toText(createPlantsSchema())],
  ["data/tokens.schema.json", toText(createTokensSchema())],
  ["src/explorer/content.ts", await createExplorerModule()],
  ...await createLesson(),
]);

FILES.set("docs/operating.md", await fillHelp("docs/operating.md"));

const isCheck = process.argv.includes("--check");

function report(path: string): void {
  console.error(`${path} is out of date; run "npm run generate"`);
  process.exitCode = 1;
}

for (const [path, text] of FILES) {
  if (!isCheck) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  } else if (await readFile(path, "utf8").catch(() => "") !== text) {
    report(path);
  }
}

for (const path of await listLesson()) {
  if (FILES.has(path)) continue;
  if (isCheck) report(path);
  else await rm(path);
}
