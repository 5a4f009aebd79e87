import { readFile } from "node:fs/promises";
import { createMarkdownRenderer, type SiteConfig } from "vitepress";
import {
  type Exercise,
  verifyExercise,
} from "../../src/verify/cases/exercises.ts";
import { PLANTS, USERS, verify } from "../../src/verify/verify.ts";
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
  /** The exercise whose test cases run, or undefined for the core test cases. */
  readonly exercise: Exercise | undefined;
  /** The IDs of the test cases that the solution passes, and the code before does not. */
  readonly cases: readonly string[];
}

/** The steps; VitePress replaces this module with what `load` returns. */
export declare const data: readonly Step[];

/** The code before the first step. */
const FIRST = `export function handler(request, plants) {
  return Response.json([]);
}
`;

/** What is only for a terminal, and what the lab shows instead. */
const TERMINAL = /<!-- terminal -->[^]*?(?:<!-- lab: ([^]*?)-->|$)/g;

export default {
  watch: ["../../docs/tutorial.md"],
  async load(): Promise<readonly Step[]> {
    const { srcDir, markdown, site } = Object(globalThis)
      .VITEPRESS_CONFIG as SiteConfig;
    const md = await createMarkdownRenderer(srcDir, markdown, site.base);
    const steps: Step[] = [];
    let begin = FIRST;
    let before = new Set<string>();
    for (const { name, title, text } of await readSections()) {
      const env = { relativePath: "lab.md", cleanUrls: true, isLab: true };
      const task = md.render(text.replace(TERMINAL, "$1"), env);
      // Exercise 1 changes no code.
      const folder = name === "exercise-1" ? "step-4" : name;
      const file = `examples/lesson/${folder}/handler.mjs`;
      const solution = await readFile(file, "utf8");
      const [, number] = /^exercise-([23])$/.exec(name) ?? [];
      const exercise = number && Number(number) as Exercise || undefined;
      const passed = await listPassed(solution, exercise);
      const cases = [...passed].filter((id) => !before.has(id));
      steps.push({ name, title, task, begin, solution, exercise, cases });
      begin = solution;
      before = passed;
    }
    return steps;
  },
};

/** Returns the IDs of the test cases that a solution passes. */
async function listPassed(code: string, exercise: Exercise | undefined) {
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  const { handler } = await import(url);
  const respond = async (request: Request) => {
    const response: Response = await handler(request, PLANTS, USERS);
    // Servers send no body in response to HEAD.
    return request.method === "HEAD" ? new Response(null, response) : response;
  };
  const results = exercise
    ? verifyExercise(respond, exercise, 5_000)
    : verify(respond, { level: "core" });
  const passed = new Set<string>();
  for await (const { id, status } of results) {
    if (status === "passed") passed.add(id);
  }
  return passed;
}
