import { stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { FLORIST } from "../lib/data.ts";
import { memory as memoryOf } from "../lib/proc.ts";
import { type Figure, judge, type Target } from "../lib/result.ts";
import { startSide } from "../lib/sides.ts";
import { spread } from "../lib/stats.ts";
import { load } from "../lib/wrk.ts";
import { type Group, say } from "./group.ts";

const MILLION = 1_000_000;
const MEBIBYTE = 1024 * 1024;

/** How long the server is left alone before its memory is read, in milliseconds. */
const REST = 10_000;

/** What a server with a large catalogue holds of memory. */
export const memory: Group = {
  title: "Memory with a million plants on Node",
  about:
    `The resident size of the server and all that it starts: after the start, after a load of limit=20, each settled for ${
      REST / 1_000
    } s, and at its peak.`,
  rounds: 3,
  async run(workshop, { rounds, seconds }) {
    const { size } = await stat(await workshop.data.plants(MILLION));
    const figures: Figure[] = [figure("the plants file", [size])];
    const targets: Target[] = [];
    for (const users of [3, 100_000]) {
      const name = `${users.toLocaleString("en")} users`;
      const started: number[] = [], settled: number[] = [], peak: number[] = [];
      for (let round = 0; round < rounds; round++) {
        say(`  ${name}, round ${round + 1}`);
        const server = await startSide(
          await workshop.ours("node", { plants: MILLION, users }),
        );
        try {
          await wait(REST);
          started.push(memoryOf(server.pid).resident);
          await load(server.port, { user: FLORIST }, { seconds });
          await wait(REST);
          const found = memoryOf(server.pid);
          settled.push(found.resident);
          peak.push(found.peak);
        } finally {
          await server.stop();
        }
      }
      const found = {
        started: figure(`${name}: after the start`, started),
        settled: figure(`${name}: after a load`, settled),
        peak: figure(`${name}: at its peak`, peak),
      };
      figures.push(found.started, found.settled, found.peak);
      if (users !== 3) continue; // the target says nothing of a users file
      targets.push(
        ...[found.started, found.settled].map((each) =>
          judge(
            `${each.name} (3 x file + 80 MiB)`,
            { atMost: (3 * size + 80 * MEBIBYTE) / 1e6 },
            each.spread,
            "MB",
          )
        ),
        judge(
          `${found.peak.name} (7 x file)`,
          { atMost: 7 * size / 1e6 },
          found.peak.spread,
          "MB",
        ),
      );
    }
    return { figures, targets };
  },
};

function figure(name: string, bytes: readonly number[]): Figure {
  return { name, unit: "MB", spread: spread(bytes.map((each) => each / 1e6)) };
}
