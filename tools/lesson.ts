import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDocument } from "./markdown.ts";

/** The folder with the code after each step of the tutorial, and the solutions of exercises. */
const FOLDER = "examples/lesson";

/** Returns the name of the folder for a section of the tutorial. */
function nameFolder(heading = ""): string | undefined {
  const [, step] = /^(\d)\. /.exec(heading) ?? [];
  return step && `step-${step}`;
}

/** Returns the files that the commands and blocks of each step create, by path. */
export async function createLesson(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const student = await mkdtemp(join(tmpdir(), "lesson-"));
  const server = await readFile(`${FOLDER}/server.mjs`, "utf8");
  await writeFile(join(student, "server.mjs"), server);
  for (const name of ["exercise-2", "exercise-3"]) {
    files.set(`${FOLDER}/${name}/server.mjs`, server);
  }
  const { blocks } = readDocument("docs/tutorial.md");
  for (const { comment, language, text, under } of blocks) {
    const folder = nameFolder(under[1]);
    const [, name] = /^file: (.+)/.exec(comment ?? "") ?? [];
    if (folder === undefined) continue;
    if (name !== undefined) await writeFile(join(student, name), text);
    else if (language === "diff") {
      execFileSync("git", ["apply", "-"], { cwd: student, input: text });
    } else continue;
    for (const name of await readdir(student)) {
      const text = await readFile(join(student, name), "utf8");
      files.set(`${FOLDER}/${folder}/${name}`, text);
    }
  }
  await rm(student, { recursive: true });
  return files;
}

/** Returns the paths of the files in the folders of the steps. */
export async function listLesson(): Promise<readonly string[]> {
  const names = await readdir(FOLDER, { recursive: true });
  return names.map((name) => `${FOLDER}/${name.replaceAll("\\", "/")}`)
    .filter((path) => /\/step-\d\/[^/]+$/.test(path));
}
