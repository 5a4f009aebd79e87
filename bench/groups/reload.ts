import { copyFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { CURATOR } from "../lib/data.ts";
import { start } from "../lib/child.ts";
import { ask } from "../lib/http.ts";
import { type Figure, judge, type Target } from "../lib/result.ts";
import {
  ANY_CPU,
  BENCH,
  type RunningSide,
  startSide,
  type Workshop,
} from "../lib/sides.ts";
import { spread } from "../lib/stats.ts";
import { PATH } from "../lib/wrk.ts";
import { type Group, say } from "./group.ts";

/** The client's requests per second and its connections. */
const RATE = 500, CONNECTIONS = 8;

/** The most that an answer may come later, in milliseconds. */
const LATER = 100;

/** How long a change may take to be served, in milliseconds. */
const PATIENCE = 60_000;

/** What the client saw. */
interface Seen {
  readonly requests: number;
  readonly failures: number;
  /** The longest that an answer took from when its request was due, in milliseconds. */
  readonly longest: number;
}

/** Reloading while requests come in. */
export const reload: Group = {
  title: "Reloading under load on Node",
  about:
    `${RATE} requests a second over ${CONNECTIONS} connections, limit=20, while another plants file is put in place of the one that is served, and for as long without. An answer's time counts from when its request was due. Server and client are not pinned, since a reload may use a second CPU.`,
  rounds: 5,
  async run(workshop, { rounds }) {
    const figures: Figure[] = [];
    const targets: Target[] = [];
    for (const plants of [100_000, 1_000_000]) {
      const name = `${plants.toLocaleString("en")} plants`;
      const found = await measure(workshop, plants, rounds, name);
      figures.push(...found.figures);
      const longer = spread(found.longer);
      const failures = spread([found.failures]);
      targets.push(
        judge(`${name}: failed requests`, { atMost: 0 }, failures, ""),
      );
      if (plants === 100_000) {
        const figure = `${name}: longest answer, later than without`;
        targets.push(judge(figure, { atMost: LATER }, longer, "ms"));
      } else {
        figures.push({
          name: `${name}: longest answer, later than without`,
          unit: "ms",
          spread: longer,
        });
      }
    }
    return { figures, targets };
  },
};

async function measure(
  workshop: Workshop,
  plants: number,
  rounds: number,
  name: string,
): Promise<{ figures: Figure[]; longer: number[]; failures: number }> {
  // Files of its own: others are served the ones that all share.
  const served = join(workshop.folder, `reloaded-${plants}.json`);
  const versions = [
    await workshop.data.changedPlants(plants),
    await workshop.data.plants(plants),
  ];
  await copyFile(versions[1]!, served);
  const side = await workshop.ours("node", { plants, file: served });
  const server = await startSide(side, ANY_CPU);

  const quiet: Seen[] = [], busy: Seen[] = [], taken: number[] = [];
  try {
    let pause = 2_000;
    for (let round = 0; round < rounds; round++) {
      say(`  ${name}, round ${round + 1}`);
      quiet.push(await watch(server, () => wait(pause)));
      const fresh = `${served}.new`;
      await copyFile(versions[round % 2]!, fresh);
      busy.push(
        await watch(server, async () => {
          const start = performance.now();
          await replace(server, fresh, served);
          taken.push(performance.now() - start);
          await wait(500); // what comes after the swap counts too
        }),
      );
      pause = taken.at(-1)! + 500;
    }
  } finally {
    await server.stop();
  }
  const figure = (label: string, values: readonly number[]): Figure => ({
    name: `${name}: ${label}`,
    unit: "ms",
    spread: spread(values),
  });
  return {
    figures: [
      figure("from rename to served", taken),
      figure("longest answer without", quiet.map(({ longest }) => longest)),
      figure("longest answer with", busy.map(({ longest }) => longest)),
    ],
    longer: busy.map(({ longest }, at) => longest - quiet[at]!.longest),
    failures: [...quiet, ...busy].reduce((sum, each) => sum + each.failures, 0),
  };
}

/** Puts a file in place of another, and waits until it is served. */
async function replace(
  { port }: RunningSide,
  fresh: string,
  served: string,
): Promise<void> {
  const query = { user: CURATOR, path: "/plants?limit=1" };
  const before = await ask(port, query);
  await rename(fresh, served);
  const end = performance.now() + PATIENCE;
  while (performance.now() < end) {
    await wait(50);
    const { body } = await ask(port, query);
    if (!body.equals(before.body)) return;
  }
  throw new Error(`"${served}" must be served ${PATIENCE} ms after a change`);
}

/** What a client sees while something is done. */
async function watch(
  { port }: RunningSide,
  work: () => Promise<void>,
): Promise<Seen> {
  const client = start([
    process.execPath,
    join(BENCH, "programs/steady.mjs"),
    `http://127.0.0.1:${port}${PATH}`,
    `token-${CURATOR}`,
    `${RATE}`,
    `${CONNECTIONS}`,
  ]);
  try {
    await client.until(/^ready$/m);
    await work();
    client.stdin.end();
    const [, seen] = await client.until(/^seen (.*)$/m);
    return JSON.parse(seen!);
  } finally {
    await client.stop();
  }
}
