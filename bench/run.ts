import { readFile, writeFile } from "node:fs/promises";
import { cpus, release, totalmem } from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";
import { BUN, DENO } from "../tools/runtimes.ts";
import type { Group } from "./compare.ts";
import { growth } from "./groups/growth.ts";
import { compareOn, peers, sizes } from "./groups/http.ts";
import manifest from "./package.json" with { type: "json" };
import { formatTable } from "./report.ts";
import { CLIENT_CPU, run } from "./servers.ts";

// npm run bench [-- [GROUP...] [--rounds N] [--seconds S]]
//
// Runs groups, and replaces their results in RESULTS.md.

const GROUPS: Readonly<Record<string, Group>> = {
  node: compareOn("node"),
  deno: compareOn("deno"),
  bun: compareOn("bun"),
  ...{ peers, sizes, growth },
};
const RESULTS = "bench/RESULTS.md";

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
    const rounds = readCount("rounds", values.rounds ?? `${group.rounds}`);
    const seconds = readCount("seconds", values.seconds);
    const sides = await group.run(
      { rounds, seconds },
      (part) => console.error(`${name}: ${part}`),
    );
    const command = `npm run bench -- ${name}`;
    const date = new Date().toISOString().slice(0, 10);
    const about =
      `${date}, ${rounds} rounds, ${seconds} s each, on ${readEnvironment()}`;
    const table = formatTable(group.pairs, sides);
    console.log(table);
    await replaceResults(command, `\`${command}\`: ${about}\n\n${table}\n`);
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

/** Replaces a section of RESULTS.md, from the command on. */
async function replaceResults(command: string, results: string): Promise<void> {
  const text = await readFile(RESULTS, "utf8");
  const start = text.indexOf(`\`${command}\``);
  if (start < 0) throw new Error(`${RESULTS} lacks "${command}"`);
  const end = text.indexOf("\n## ", start);
  const rest = end < 0 ? "" : text.slice(end);
  await writeFile(RESULTS, text.slice(0, start) + results + rest);
  await run([...DENO, "fmt", "--quiet", RESULTS]);
}

try {
  await main();
} catch (error) {
  console.error(`bench: ${(error as Error).message}`);
  process.exitCode = 1;
}
process.exit();
