import { Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { assertEquals } from "@std/assert";
import type { Access, Plant } from "../../../mod.ts";
import type { Proxy } from "../deploy/nginx.ts";
import { until } from "../../support/until.ts";

/** Plants, and the users who see some of them, whose tokens are their names. */
export interface Content {
  readonly plants: readonly Plant[];
  readonly users: Readonly<Record<string, Access>>;
}

/** Creates plants that have `name` in their names; one user sees `tags` and the plant 7. */
export function createContent(name: string, tags: readonly string[]): Content {
  return {
    plants: Array.from(
      { length: 2_000 },
      (_, at) => ({ name: `${name} ${at}`, tag: `tag ${at % 10}` }),
    ),
    users: { curator: "all", florist: { tags, names: [`${name} 7`] } },
  };
}

/** What is asked in turn: a user, and how many plants at the most. */
const QUESTIONS: readonly (readonly [user: string, limit: number])[] = [
  ["curator", 20],
  ["florist", 20],
  ["florist", 500],
];

/** How many ask at once, and how long each waits after an answer, in milliseconds. */
const CLIENTS = 8, PAUSE = 2;

/** What became of a request. */
export interface Outcome {
  /** The status, or what went wrong where there was no answer. */
  readonly result: number | string;
  /** When it was over, and how long it took. */
  readonly at: number;
  readonly took: number;
}

/** Requests under way. */
export interface Load {
  /** What became of those so far. */
  readonly outcomes: readonly Outcome[];
  /** Waits until so many more have an answer. */
  untilMore(count: number): Promise<void>;
  /** The lists that are right from now on are those of any of these. */
  expect(...contents: readonly Content[]): void;
  /**
   * Waits for the answers that are to come.
   *
   * @throws {AssertionError} When any of all was neither right nor a failure in the words of the service.
   */
  stop(): Promise<readonly Outcome[]>;
}

/** Asks through a proxy again and again, on connections that are kept, while the test runs. */
export function startLoad(
  t: { after(end: () => unknown): void },
  { ask }: Proxy,
  ...contents: readonly Content[]
): Load {
  const outcomes: Outcome[] = [];
  const mistakes: string[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  let right = contents.map(encodeLists);
  let isOver = false;
  t.after(() => isOver = true);
  let asked = 0;

  async function askOnce(): Promise<Outcome["result"]> {
    const at = asked++ % QUESTIONS.length;
    const [user, limit] = QUESTIONS[at]!;
    // Those that were right when it was asked are right too.
    const before = right;
    const answer = await ask(`/plants?limit=${limit}`, {
      headers: { authorization: `Bearer ${user}` },
      agent,
    });
    const body = new TextDecoder().decode(answer.body);
    const isRight = answer.status === 200
      ? [...before, ...right].some((lists) => lists[at] === body)
      : /^\{"error":\d+,"message":"[^"]+"\}$/.test(body);
    if (!isRight) mistakes.push(`${answer.status} ${user} ${limit}: ${body}`);
    return answer.status;
  }

  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      const start = performance.now();
      const result = await askOnce().catch(({ message }) => `${message}`);
      const at = performance.now();
      outcomes.push({ result, at, took: at - start });
      await wait(PAUSE);
    }
  });
  return {
    outcomes,
    untilMore(count) {
      const all = outcomes.length + count;
      return until(() => outcomes.length >= all);
    },
    expect(...contents) {
      right = contents.map(encodeLists);
    },
    async stop() {
      isOver = true;
      await Promise.all(clients);
      agent.destroy();
      assertEquals(mistakes, []);
      return outcomes;
    },
  };
}

/** The answers to the questions. */
function encodeLists({ plants, users }: Content): string[] {
  return QUESTIONS.map(([user, limit]) => {
    const access = users[user]!;
    const seen = plants.filter(({ name, tag }) =>
      access === "all" || access.names!.includes(name) ||
      access.tags!.includes(tag!)
    );
    return JSON.stringify(seen.slice(0, limit));
  });
}

/** How many requests had which result. */
export function count(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { result } of outcomes) {
    counts[result] = (counts[result] ?? 0) + 1;
  }
  return counts;
}

/** The longest that any took, in milliseconds. */
export function longest(outcomes: readonly Outcome[]): number {
  return Math.max(...outcomes.map(({ took }) => took));
}
