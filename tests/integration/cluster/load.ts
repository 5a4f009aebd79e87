import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Access, Plant } from "../../../mod.ts";
import { until } from "../../support/until.ts";
import type { Nginx } from "../deploy/nginx.ts";

/** The limits of the requests, sent in turn. */
const LIMITS = [20, 500];

/** Plants, and the access of the florist, whose token is `florist`. */
export interface Content {
  readonly plants: readonly Plant[];
  readonly access: Access;
  /** The list for each limit. */
  readonly lists: readonly string[];
}

/** Creates plants whose names contain `name`. */
export function createContent(name: string, tags: readonly string[]): Content {
  const plants = Array.from(
    { length: 2_000 },
    (_, index) => ({ name: `${name} ${index}`, tag: `tag ${index % 10}` }),
  );
  const names = [`${name} 7`];
  const visible = plants.filter(({ name, tag }) =>
    names.includes(name) || tags.includes(tag)
  );
  const lists = LIMITS.map((limit) => JSON.stringify(visible.slice(0, limit)));
  return { plants, access: { tags, names }, lists };
}

/** The number of concurrent clients, and their pause in milliseconds. */
const CLIENTS = 8, PAUSE = 2;

/** Clients that send requests. */
export interface Load {
  /** Waits for 200 more responses. */
  next(): Promise<void>;
  /** Sets the contents whose lists are correct from now on. */
  expect(...contents: readonly Content[]): void;
  /** Waits for in-flight requests, and returns the responses that were not correct. */
  stop(): Promise<readonly string[]>;
}

/** Sends requests through nginx until the load or the test stops. */
export function startLoad(
  t: { after(fn: () => unknown): void },
  { send }: Nginx,
  content: Content,
): Load {
  const mistakes: string[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  let correct: readonly Content[] = [content];
  let isRunning = true;
  t.after(() => isRunning = false);
  let sent = 0, received = 0;

  async function sendNext(): Promise<void> {
    const index = sent++ % LIMITS.length;
    const before = correct;
    const response = await send(`/plants?limit=${LIMITS[index]}`, {
      headers: { authorization: "Bearer florist" },
      agent,
    });
    const body = await response.text();
    // Lists that were correct when the request was sent are accepted, too.
    const isCorrect = response.status === 200 &&
      [...before, ...correct].some(({ lists }) => lists[index] === body);
    if (!isCorrect) mistakes.push(`${response.status} ${index}: ${body}`);
  }

  const clients = Array.from({ length: CLIENTS }, async () => {
    while (isRunning) {
      await sendNext().catch(({ message }) => mistakes.push(message));
      received++;
      await sleep(PAUSE);
    }
  });
  return {
    next() {
      const total = received + 200;
      return until(() => received >= total);
    },
    expect(...contents) {
      correct = contents;
    },
    async stop() {
      isRunning = false;
      await Promise.all(clients);
      agent.destroy();
      return mistakes;
    },
  };
}
