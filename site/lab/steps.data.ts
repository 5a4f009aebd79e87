import { readFile } from "node:fs/promises";
import { createMarkdownRenderer, type SiteConfig } from "vitepress";
import { type Exercise, selectExercise } from "../../src/verify/exercises.ts";
import { isolate } from "../../src/cli/grade/student_worker.ts";
import { runTests } from "../../src/verify/runner.ts";
import type { CaseInfo } from "../../src/verify/verify.ts";
import { readSections } from "../../tools/lesson.ts";

// When the site is built, turns each step of docs/tutorial.md into one of the lab.

/** A step or an exercise of the tutorial. */
export interface Step {
  /** The name of its folder in examples/lesson, and its fragment in the address. */
  readonly name: string;
  readonly title: string;
  /** The text as HTML. */
  readonly task: string;
  /** The code before and after the step. */
  readonly begin: string;
  readonly solution: string;
  /** The exercise up to which the test cases run. */
  readonly exercise: Exercise;
  /** The IDs of the test cases that the solution passes, but those of earlier steps. */
  readonly cases: readonly string[];
}

/** The steps; VitePress replaces this module with what `load` returns. */
export declare const data: readonly Step[];

/** The code before the first step. */
const FIRST = `export function handler(request, plants) {
  return Response.json([]);
}
`;

/**
 * The step that teaches a section of the HTTP API: tokens, the limit, HEAD, and
 * the order of checks. Before
 * it, the test cases of the section pass only by chance.
 */
const TEACHING: Readonly<Record<number, number>> = { 2: 2, 3: 3, 7: 3, 10: 3 };

/** A part only for a terminal, and the text that the lab shows instead. */
const TERMINAL = /<!-- terminal -->[^]*?(?:<!-- lab: ([^]*?)-->|$)/g;

export default {
  watch: ["../../docs/tutorial.md"],
  async load(): Promise<readonly Step[]> {
    const { srcDir, markdown, site } = Object(globalThis)
      .VITEPRESS_CONFIG as SiteConfig;
    const md = await createMarkdownRenderer(srcDir, markdown, site.base);
    const steps: Step[] = [];
    let begin = FIRST;
    const before = new Set<string>();
    for (const { name, title, text } of await readSections()) {
      const env = { relativePath: "lab.md", cleanUrls: true, isLab: true };
      const shown = text.replace(TERMINAL, "$1")
        .replace(/^```diff\n([^]*?)^```/gm, (_, diff) => toCode(diff));
      const task = md.render(shown, env);
      // Exercise 1 changes no code.
      const folder = name === "exercise-1" ? "step-4" : name;
      const file = `examples/lesson/${folder}/handler.mjs`;
      const solution = await readFile(file, "utf8");
      const [, number = 1] = /^exercise-(\d)$/.exec(name) ?? [];
      const exercise = Number(number) as Exercise;
      const cases = (await listPassed(solution, exercise))
        .filter(({ id, section }) =>
          !before.has(id) && (TEACHING[section] ?? 0) <= steps.length + 1
        )
        .map(({ id }) => id);
      for (const id of cases) before.add(id);
      steps.push({ name, title, task, begin, solution, exercise, cases });
      begin = solution;
    }
    return steps;
  },
};

/** Turns a diff into a block with the new lines, and those around them. */
function toCode(diff: string): string {
  const code = diff.replace(/^-.*\n|^\+\+\+.*\n@@.*\n/gm, "")
    .replace(/^@@.*/gm, " // ...").replace(/^[ +]/gm, "");
  return `\`\`\`js\n${code}\`\`\``;
}

/** Returns the test cases that a solution passes. */
async function listPassed(code: string, exercise: Exercise) {
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  const { handler, close } = isolate(url, 5_000);
  const passed: CaseInfo[] = [];
  const tests = selectExercise(exercise);
  for await (const result of runTests(handler, tests, { timeout: 5_000 })) {
    if (result.status === "passed") passed.push(result);
  }
  close();
  return passed;
}
