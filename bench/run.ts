import { readFile, writeFile } from "node:fs/promises";
import { cpus, release, totalmem } from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";
import { BUN, DENO } from "../tools/runtimes.ts";
import type { Group } from "./compare.ts";
import { growth } from "./groups/growth.ts";
import { bun, deno, node, peers, sizes } from "./groups/http.ts";
import { postgres } from "./groups/postgres.ts";
import manifest from "./package.json" with { type: "json" };
import { render, renderSummary, type Results } from "./report.ts";
import { cleanups, CLIENT_CPU, run } from "./servers.ts";

// npm run bench [-- [GROUP...] [--rounds N] [--seconds S]]
//
// Runs groups, adds their results to results.json, and writes RESULTS.md.

const GROUPS: Readonly<Record<string, Group>> = {
  ...{ node, deno, bun, peers, sizes, growth, postgres },
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string" },
      seconds: { type: "string", default: "2" },
    },
  });
  const names = positionals.length > 0 ? positionals : Object.keys(GROUPS);
  const unknown = names.find((name) => !Object.hasOwn(GROUPS, name));
  if (unknown !== undefined) throw new RangeError(`unknown group "${unknown}"`);
  // wrk and the database inherit this CPU.
  await run(["taskset", "-cp", CLIENT_CPU, `${process.pid}`]);
  await run(["npm", "run", "-s", "build"]);
  for (const name of names) {
    const group = GROUPS[name]!;
    const settings = {
      rounds: readCount("rounds", values.rounds ?? `${group.rounds}`),
      seconds: readCount("seconds", values.seconds),
    };
    const sides = await group.run(
      settings,
      (part) => console.error(`${name}: ${part}`),
    );
    const date = new Date().toISOString().slice(0, 10);
    const environment = readEnvironment();
    const found = { ...group, date, ...settings, environment, sides };
    console.log(renderSummary(await save({ [name]: found })));
  }
}

function readCount(name: string, text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new RangeError(`--${name} must be a positive integer, got "${text}"`);
}

/** Describes the machine and the versions. */
function readEnvironment(): string {
  const packages = Object.entries(manifest.devDependencies)
    .map(([name, version]) => `${name} ${version}`);
  return [`${cpus()[0]!.model}, ${cpus().length} CPUs`]
    .concat(`${Math.round(totalmem() / 2 ** 30)} GiB`)
    .concat(`Linux ${/^[\d.]*\d/.exec(release())?.[0]}`)
    .concat(`node ${process.versions.node}`)
    .concat([DENO, BUN].map((command) => command.at(-1)!.replace("@", " ")))
    .concat(packages).join(", ");
}

/** Replaces groups in results.json and renders RESULTS.md. */
async function save(found: Results): Promise<Results> {
  const old = JSON.parse(await readFile("bench/results.json", "utf8"));
  const all: Results = { ...old, ...found };
  const results: Results = Object.fromEntries(
    Object.keys(GROUPS).flatMap((name) => all[name] ? [[name, all[name]]] : []),
  );
  const json = JSON.stringify(
    results,
    (_, value) => typeof value === "number" ? +value.toPrecision(5) : value,
    2,
  );
  // Put each list of numbers on one line.
  const text = json.replaceAll(
    /\[[\d\s.,e-]+\]/g,
    (list) => list.replaceAll(/\s/g, "").replaceAll(",", ", "),
  );
  await writeFile("bench/results.json", `${text}\n`);
  await writeFile("bench/RESULTS.md", render(results));
  return results;
}

try {
  await main();
} catch (error) {
  console.error(`bench: ${(error as Error).message}`);
  process.exitCode = 1;
}
for (const cleanup of cleanups) await cleanup();
process.exit();
