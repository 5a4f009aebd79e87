import { get } from "node:http";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { start as startChild } from "../lib/child.ts";
import { judge } from "../lib/result.ts";
import { freePort, ROOT, type Side } from "../lib/sides.ts";
import { spread } from "../lib/stats.ts";
import type { Group } from "./group.ts";

/** From nothing to an answer. */
export const start: Group = {
  title: "Start on Node",
  about:
    "From starting the process to the first 200 of /healthz, in turn: the built JavaScript over the sample data against bare node:http, which reads the answer that it sends.",
  rounds: 11,
  async run(workshop, { rounds }) {
    const ours: Side = {
      name: "built JavaScript",
      command: (port) => [
        workshop.programs.node,
        workshop.built,
        `--port=${port}`,
      ],
    };
    const query = { path: "/healthz" };
    const bare = await workshop.bare(
      "node",
      { ...ours, ready: /^Listening on /m },
      query,
    );
    const sides = [ours, bare] as const;
    const times: readonly [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      for (const [index, side] of sides.entries()) {
        const time = await firstAnswer(side);
        if (round > 0) times[index]!.push(time); // 0 fills the file cache
      }
    }
    return {
      figures: sides.map(({ name }, index) => ({
        name,
        unit: "ms",
        spread: spread(times[index]!),
      })),
      targets: [judge(
        "start to first answer, relative",
        { atMost: 2 },
        spread(times[0].map((time, index) => time / times[1][index]!)),
      )],
    };
  },
};

async function firstAnswer(side: Side): Promise<number> {
  const port = await freePort();
  const begin = performance.now();
  const child = startChild(side.command(port), {
    cwd: ROOT,
    ...side.env && { env: side.env },
  });
  try {
    while (performance.now() - begin < 30_000) {
      if (await isHealthy(port)) return performance.now() - begin;
      await wait(1);
    }
    throw new Error(`${side.name} must answer within 30 seconds`);
  } finally {
    await child.stop();
  }
}

function isHealthy(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const url = `http://127.0.0.1:${port}/healthz`;
    get(url, { agent: false }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode === 200));
    }).on("error", () => resolve(false));
  });
}
