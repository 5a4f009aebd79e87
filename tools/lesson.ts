import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The folder with the code after each step of the tutorial, and the solutions of exercises. */
const FOLDER = "examples/lesson";

/** A step or an exercise of the tutorial. */
export interface Section {
  /** The name of its folder in examples/lesson: `step-1` or `exercise-2`. */
  readonly name: string;
  readonly title: string;
  /** The Markdown below the heading. */
  readonly text: string;
}

/** A fenced block, with the name of the file to save it as. */
const BLOCK = /(?:^<!-- file: (.+) -->\n\n)?^```(\w+)\n([^]*?)^```$/gm;

/** Splits the tutorial into its steps and exercises. */
export async function readSections(): Promise<readonly Section[]> {
  const tutorial = await readFile("docs/tutorial.md", "utf8");
  const sections = tutorial.replaceAll("\r\n", "\n")
    .matchAll(/^## ((Exercise )?(\d)[.:] .*)\n([^]*?)(?=^## )/gm);
  return Array.from(sections, ([, title, exercise, number, text]) => {
    const name = `${exercise ? "exercise" : "step"}-${number}`;
    return { name, title: title!, text: text! };
  });
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
  for (const { name, text } of await readSections()) {
    if (!name.startsWith("step-")) continue;
    for (const [, file, language, code = ""] of text.matchAll(BLOCK)) {
      if (file !== undefined) await writeFile(join(student, file), code);
      else if (language === "diff") {
        execFileSync("git", ["apply", "-"], { cwd: student, input: code });
      }
    }
    for (const file of await readdir(student)) {
      const code = await readFile(join(student, file), "utf8");
      files.set(`${FOLDER}/${name}/${file}`, code);
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
