import { compare } from "../lib/compare.ts";
import { CURATOR, FLORIST } from "../lib/data.ts";
import {
  type Comparison,
  judge,
  judgeThroughput,
  type Skipped,
  type Target,
} from "../lib/result.ts";
import { ROOT, type Runtime, RUNTIMES, type Workshop } from "../lib/sides.ts";
import type { Query } from "../lib/wrk.ts";
import { type Group, ROUNDS, say, type Settings } from "./group.ts";

const FIRST_20: Query = { user: FLORIST };

/** A bare server against itself: what of a ratio is the machine's doing. */
export const noise: Group = {
  title: "Noise",
  about:
    "A bare server against itself, which is 1 where nothing disturbs: no ratio below says more than these do.",
  rounds: ROUNDS,
  async run(workshop, settings) {
    return await onEach(RUNTIMES, async (runtime) => {
      const ours = await workshop.ours("node");
      const side = await workshop.bare(runtime, ours, FIRST_20);
      return [
        await compare(
          `${side.name}, limit=20`,
          [{ side, query: FIRST_20 }, { side, query: FIRST_20 }],
          settings,
        ),
        [],
      ];
    });
  },
};

/** The throughput that is asked for on each runtime. */
const AT_LEAST: Readonly<Record<Runtime, number>> = {
  node: 0.98,
  deno: 0.93,
  bun: 0.93,
};

/** The most CPU time per request on Node. */
const CPU_AT_MOST = 1.04;

/** The product against a server that does nothing but send the same. */
export const limits: Group = {
  title: "Against the bare server of each runtime",
  about:
    "100 plants and 3 users, limit=20. The other side sends the same bytes and fields with no logic: an object of headers and a string, on Node with Content-Length given.",
  rounds: ROUNDS,
  async run(workshop, settings) {
    return await onEach(RUNTIMES, async (runtime) => {
      const side = await workshop.ours(runtime);
      const found = await againstBare(
        workshop,
        `${runtime}, limit=20`,
        runtime,
        { side, query: FIRST_20 },
        settings,
      );
      const bound = AT_LEAST[runtime];
      if (runtime !== "node") {
        return [found, [judgeThroughput(found.name, bound, found)]];
      }
      return [found, [
        judgeThroughput(found.name, bound, found, CPU_AT_MOST),
        judge(
          `${found.name}: CPU per request`,
          { atMost: CPU_AT_MOST },
          found.cpu,
        ),
      ]];
    });
  },
};

/** The other answers against a bare server that sends the same. */
export const answers: Group = {
  title: "Other answers on Node",
  about:
    "10,000 plants and 3 users, each answer against bare node:http sending the same status, bytes and fields. The user who sees everything asks; where there is a filter, the one who sees four kinds.",
  rounds: ROUNDS,
  async run(workshop, settings) {
    const side = await workshop.ours("node", { plants: 10_000 });
    const queries: [string, Query][] = [
      ["no limit", { user: CURATOR, path: "/plants" }],
      ["limit=1", { user: CURATOR, path: "/plants?limit=1" }],
      ["limit=20", { user: CURATOR }],
      ["limit=1000", { user: CURATOR, path: "/plants?limit=1000" }],
      ["limit=1000, filtered", { user: FLORIST, path: "/plants?limit=1000" }],
      ["304", {
        user: CURATOR,
        headers: { "If-None-Match": "*" },
        status: 304,
      }],
      ["401, no token", { status: 401 }],
      ["401, unknown token", { user: 1e9, status: 401 }],
    ];
    const comparisons: Comparison[] = [];
    for (const [name, query] of queries) {
      comparisons.push(
        await againstBare(
          workshop,
          name,
          "node",
          { side, query },
          settings,
        ),
      );
    }
    return { comparisons };
  },
};

/** Few connections: each carries tens of megabytes. */
const WHOLE_CONNECTIONS = 4;

/** The whole of a large catalogue. */
export const whole: Group = {
  title: "The whole list of a million plants",
  about:
    `Against bare node:http sending the same buffer, over ${WHOLE_CONNECTIONS} connections.`,
  rounds: ROUNDS,
  async run(workshop, settings) {
    const found = await againstBare(
      workshop,
      "a million plants, no limit",
      "node",
      {
        side: await workshop.ours("node", { plants: 1_000_000 }),
        query: { user: CURATOR, path: "/plants" },
      },
      settings,
      WHOLE_CONNECTIONS,
    );
    return {
      comparisons: [found],
      targets: [judgeThroughput(found.name, 0.8, found)],
    };
  },
};

async function againstBare(
  workshop: Workshop,
  name: string,
  runtime: Runtime,
  contender: Parameters<typeof compare>[1][0],
  settings: Settings,
  connections = 64,
): Promise<Comparison> {
  const { side, query } = contender;
  const bare = await workshop.bare(runtime, side, query);
  say(`  ${name}`);
  return await compare(name, [contender, { side: bare, query }], {
    ...settings,
    connections,
  });
}

/** Does it on each runtime. Where the product does not run on Deno or Bun, that is skipped, and told. */
async function onEach(
  runtimes: readonly Runtime[],
  work: (
    runtime: Runtime,
  ) => Promise<readonly [Comparison, readonly Target[]]>,
): ReturnType<Group["run"]> {
  const comparisons: Comparison[] = [];
  const targets: Target[] = [];
  const skipped: Skipped[] = [];
  for (const runtime of runtimes) {
    try {
      const [comparison, judged] = await work(runtime);
      comparisons.push(comparison);
      targets.push(...judged);
    } catch (error) {
      if (runtime === "node") throw error;
      // Where things lie on this machine is nobody else's business.
      const reason = (error as Error).message.replaceAll(ROOT, "")
        .replace(/\S*\/plant-store-bench-\w+\//g, "").split("\n")[0]!;
      say(`SKIPPED ${runtime}: ${reason}`);
      skipped.push({ name: runtime, reason });
    }
  }
  return { comparisons, targets, skipped };
}
