import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { parseArgs } from "node:util";
import { type Group, say } from "./groups/group.ts";
import { handler } from "./groups/handler.ts";
import { answers, limits, noise, whole } from "./groups/limits.ts";
import { load } from "./groups/load.ts";
import { memory } from "./groups/memory.ts";
import { peers } from "./groups/peers.ts";
import { postgres } from "./groups/postgres.ts";
import { processes } from "./groups/processes.ts";
import { profile } from "./groups/profile.ts";
import { reload } from "./groups/reload.ts";
import { sizes, users } from "./groups/sizes.ts";
import { start } from "./groups/start.ts";
import { hasProgram } from "./lib/child.ts";
import { readEnvironment } from "./lib/environment.ts";
import { render, type Results } from "./lib/report.ts";
import { BENCH, openWorkshop } from "./lib/sides.ts";

// npm run bench [-- [--only GROUP[,GROUP]...] [--rounds N] [--seconds S]]
//
// Measures the groups and writes RESULTS.md. What was found is kept in
// results.json, so that a part can be measured again by itself.

/** The groups by their names, in the order of the report. */
const GROUPS: ReadonlyMap<string, Group> = new Map(Object.entries({
  noise,
  limits,
  profile,
  peers,
  sizes,
  users,
  answers,
  whole,
  load,
  memory,
  reload,
  start,
  handler,
  processes,
  postgres,
}));

interface Options {
  /** Each group has a default of its own. */
  readonly rounds: number | undefined;
  readonly seconds: number;
  readonly names: readonly string[];
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string", default: "2" },
    },
  });
  const names = values.only?.split(",") ?? [...GROUPS.keys()];
  for (const name of names) {
    if (GROUPS.has(name)) continue;
    const known = [...GROUPS.keys()].join(", ");
    throw new RangeError(`--only has no "${name}": there are ${known}`);
  }
  return {
    names,
    rounds: values.rounds === undefined
      ? undefined
      : readCount("rounds", values.rounds),
    seconds: readCount("seconds", values.seconds),
  };
}

function readCount(name: string, text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new RangeError(`--${name} must be a number from 1 on, not "${text}"`);
}

async function readResults(path: string): Promise<Results> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
}

async function main(): Promise<void> {
  const { names, rounds, seconds } = readOptions();
  if (process.platform !== "linux") {
    throw new Error("CPU time and memory are read from /proc: run it on Linux");
  }
  if (!hasProgram("wrk")) {
    throw new Error(
      "wrk is missing, which makes the load: apt-get install wrk (Debian, Ubuntu)",
    );
  }
  const environment = await readEnvironment();
  const workshop = await openWorkshop();
  const path = join(BENCH, "results.json");
  for (const name of names) {
    const group = GROUPS.get(name)!;
    const settings = { rounds: rounds ?? group.rounds, seconds };
    const begin = performance.now();
    say(`${name}: ${group.title}`);
    const found = await group.run(workshop, settings);
    const minutes = (performance.now() - begin) / 60_000;
    say(`${name} took ${minutes.toFixed(1)} min`);

    // After each group, so that what was found outlives a later failure.
    const measured = {
      date: new Date().toISOString().slice(0, 16).replace("T", " ") + " UTC",
      ...settings,
      environment,
    };
    const all: Results = {
      ...await readResults(path),
      [name]: { title: group.title, about: group.about, measured, ...found },
    };
    const ordered: Results = Object.fromEntries(
      [...GROUPS.keys()].flatMap((each) => {
        const result = all[each];
        return result ? [[each, result]] : [];
      }),
    );
    await writeFile(path, `${JSON.stringify(ordered, null, 2)}\n`);
    await writeFile(join(BENCH, "RESULTS.md"), render(ordered));
  }
}

try {
  await main();
  process.exit(0);
} catch (error) {
  console.error(`bench: ${(error as Error).message}`);
  process.exit(1);
}
