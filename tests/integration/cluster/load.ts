import { Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { assertEquals } from "@std/assert";
import type { Access, Plant } from "../../../mod.ts";
import { until } from "../../support/until.ts";
import type { Nginx } from "../deploy/nginx.ts";

/** Plants, and users whose tokens are their names. */
export interface Content {
  readonly plants: readonly Plant[];
  readonly users: Readonly<Record<string, Access>>;
}

/**
 * Creates plants whose names contain `name`. The curator can see all plants,
 * and the florist can see those with `tags` and plant 7.
 */
export function createContent(name: string, tags: readonly string[]): Content {
  return {
    plants: Array.from(
      { length: 2_000 },
      (_, index) => ({ name: `${name} ${index}`, tag: `tag ${index % 10}` }),
    ),
    users: { curator: "all", florist: { tags, names: [`${name} 7`] } },
  };
}

/** The requests, sent in turn. */
const REQUESTS: readonly (readonly [user: string, limit: number])[] = [
  ["curator", 20],
  ["florist", 20],
  ["florist", 500],
];

/** The number of concurrent clients, and their pause in milliseconds. */
const CLIENTS = 8, PAUSE = 2;

/** The outcome of a request. */
export interface Outcome {
  /** The status, or the error message if there was no response. */
  readonly result: number | string;
  /** The time when the request ended. */
  readonly at: number;
}

/** Clients that send requests. */
export interface Load {
  readonly outcomes: readonly Outcome[];
  /** Waits for this number of additional outcomes. */
  untilMore(count: number): Promise<void>;
  /** Sets the contents whose lists are correct from now on. */
  expect(...contents: readonly Content[]): void;
  /**
   * Waits for in-flight requests.
   *
   * @throws {AssertionError} If a list or an error body was incorrect.
   */
  stop(): Promise<readonly Outcome[]>;
}

/** Sends requests through nginx until the load or the test stops. */
export function startLoad(
  t: { after(fn: () => unknown): void },
  { send }: Nginx,
  ...contents: readonly Content[]
): Load {
  const outcomes: Outcome[] = [];
  const mistakes: string[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  let correct = contents.map(encodeLists);
  let isRunning = true;
  t.after(() => isRunning = false);
  let sent = 0;

  async function sendNext(): Promise<number> {
    const index = sent++ % REQUESTS.length;
    const [user, limit] = REQUESTS[index]!;
    const before = correct;
    const response = await send(`/plants?limit=${limit}`, {
      headers: { authorization: `Bearer ${user}` },
      agent,
    });
    const body = await response.text();
    // Lists that were correct when the request was sent are accepted, too.
    const isCorrect = response.status === 200
      ? [...before, ...correct].some((lists) => lists[index] === body)
      : /^\{"error":\d+,"message":"[^"]+"\}$/.test(body);
    if (!isCorrect) {
      mistakes.push(`${response.status} ${user} ${limit}: ${body}`);
    }
    return response.status;
  }

  const clients = Array.from({ length: CLIENTS }, async () => {
    while (isRunning) {
      const result = await sendNext().catch(({ message }) => `${message}`);
      outcomes.push({ result, at: performance.now() });
      await wait(PAUSE);
    }
  });
  return {
    outcomes,
    untilMore(count) {
      const total = outcomes.length + count;
      return until(() => outcomes.length >= total);
    },
    expect(...contents) {
      correct = contents.map(encodeLists);
    },
    async stop() {
      isRunning = false;
      await Promise.all(clients);
      agent.destroy();
      assertEquals(mistakes, []);
      return outcomes;
    },
  };
}

/** Returns the list that each request must return. */
function encodeLists({ plants, users }: Content): string[] {
  return REQUESTS.map(([user, limit]) => {
    const access = users[user]!;
    const visible = plants.filter(({ name, tag }) =>
      access === "all" || access.names!.includes(name) ||
      access.tags!.includes(tag!)
    );
    return JSON.stringify(visible.slice(0, limit));
  });
}

/** Returns the number of requests for each result. */
export function count(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { result } of outcomes) {
    counts[result] = (counts[result] ?? 0) + 1;
  }
  return counts;
}
