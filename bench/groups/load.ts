import { setTimeout as wait } from "node:timers/promises";
import { join } from "node:path";
import process from "node:process";
import { start } from "../lib/child.ts";
import { memory } from "../lib/proc.ts";
import { type Figure, judge } from "../lib/result.ts";
import { BENCH } from "../lib/sides.ts";
import { spread } from "../lib/stats.ts";
import { type Group, say } from "./group.ts";

/** How long a process is left alone before its memory is read, in milliseconds. */
const REST = 3_000;

interface Loaded {
  readonly milliseconds: number;
  readonly peak: number;
  readonly settled: number;
}

/** Loading a large catalogue. */
export const load: Group = {
  title: "Loading a million plants on Node",
  about:
    `openFileStore (read, parse, validate every one, encode, index; 3 users) against readFile and JSON.parse, each in a fresh process, in turn. Memory is that of the process, settled ${
      REST / 1_000
    } s later.`,
  rounds: 7,
  async run(workshop, { rounds }) {
    const plants = await workshop.data.plants(1_000_000);
    const tokens = await workshop.data.tokens(3, 1_000_000);
    const ours: Loaded[] = [];
    const parse: Loaded[] = [];
    for (let round = 0; round < rounds; round++) {
      ours.push(await time("load_store", workshop.builtStore, plants, tokens));
      parse.push(await time("load_parse", plants));
      say(`  round ${round + 1}`);
    }
    const figures = (name: string, found: readonly Loaded[]): Figure[] => [
      figure(`${name}: time`, "ms", found.map((each) => each.milliseconds)),
      figure(`${name}: memory, peak`, "MB", found.map(({ peak }) => peak)),
      figure(
        `${name}: memory, settled`,
        "MB",
        found.map(({ settled }) => settled),
      ),
    ];
    const ratio = spread(
      ours.map(({ milliseconds }, index) =>
        milliseconds / parse[index]!.milliseconds
      ),
    );
    return {
      figures: [
        ...figures("openFileStore", ours),
        ...figures("readFile and JSON.parse", parse),
      ],
      targets: [
        judge("openFileStore: time, relative", { atMost: 2.5 }, ratio),
      ],
    };
  },
};

function figure(name: string, unit: string, values: readonly number[]): Figure {
  return { name, unit, spread: spread(values) };
}

async function time(
  program: string,
  ...args: readonly string[]
): Promise<Loaded> {
  const child = start([
    process.execPath,
    join(BENCH, `programs/${program}.mjs`),
    ...args,
  ]);
  try {
    const [, milliseconds] = await child.until(/^loaded (\S+)$/m);
    await wait(REST);
    const { peak, resident } = memory(child.pid);
    return {
      milliseconds: Number(milliseconds),
      peak: peak / 1e6,
      settled: resident / 1e6,
    };
  } finally {
    await child.stop();
  }
}
