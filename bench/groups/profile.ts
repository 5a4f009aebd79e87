import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { FLORIST } from "../lib/data.ts";
import { cpuTime } from "../lib/proc.ts";
import type { Figure } from "../lib/result.ts";
import { BENCH, type Side, startSide, type Workshop } from "../lib/sides.ts";
import { spread } from "../lib/stats.ts";
import { load, type Query } from "../lib/wrk.ts";
import { type Group, say } from "./group.ts";

const QUERY: Query = { user: FLORIST };

/** What the time of a request goes to, by the functions that V8 was seen in. */
const KINDS: readonly (readonly [name: string, has: RegExp])[] = [
  ["writing to the socket", /^(?:writev|writevGeneric|writeLatin1String) /],
  ["collecting garbage", /^\(garbage collector\) /],
  ["node:http, streams, timers", / (?:node:\S*|)$/],
  ["native code, the kernel", /^\(program\) /],
];

/** How many of the product's own functions are named. */
const NAMED = 8;

/** What the rest of the time is spent on. */
export const profile: Group = {
  title: "CPU profile on Node",
  about:
    "100 plants and 3 users, limit=20. V8 looks every 0.2 ms which function runs; a share of its looks is a share of the CPU time per request. To be looked at costs time itself, so that both sides are slower here than above.",
  rounds: 1,
  async run(workshop, { seconds }) {
    const ours = await workshop.ours("node");
    const bare = await workshop.bare("node", ours, QUERY);
    return {
      figures: [
        ...await look(workshop, ours, seconds, [], true),
        ...await look(workshop, bare, seconds, [
          "--import",
          join(BENCH, "programs/exit_on_term.mjs"),
        ], false),
      ],
    };
  },
};

/** Loads a side for a while, and gives what its time went to, in microseconds of a request. */
async function look(
  { folder }: Workshop,
  side: Side,
  seconds: number,
  flags: readonly string[],
  isOurs: boolean,
): Promise<Figure[]> {
  say(`  ${side.name}`);
  const name = `${isOurs ? "ours" : "bare"}.cpuprofile`;
  const [program, ...args] = ["--cpu-prof", "--cpu-prof-interval=200"]
    .concat([`--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}`], flags);
  const server = await startSide({
    ...side,
    command(port) {
      const [node, ...rest] = side.command(port);
      return [node!, program!, ...args, ...rest];
    },
  });
  await load(server.port, QUERY, { seconds }); // warms up
  const before = cpuTime(server.pid);
  const { requests } = await load(server.port, QUERY, { seconds: 3 * seconds });
  const total = (cpuTime(server.pid) - before) / requests / 1e3;
  process.kill(server.pid, "SIGTERM");
  await server.ended;

  const shares = readShares(
    JSON.parse(await readFile(join(folder, name), "utf8")),
  );
  const figure = (what: string, share: number): Figure => ({
    name: `${isOurs ? "plant store" : "bare"}: ${what}`,
    unit: "µs",
    spread: spread([share * total]),
  });
  const kinds = new Map<string, number>();
  for (const [each, share] of shares) {
    const kind = kindOf(each);
    kinds.set(kind, (kinds.get(kind) ?? 0) + share);
  }
  return [
    figure("CPU per request", 1),
    ...Array.from(kinds, ([kind, share]) => figure(kind, share))
      .sort((a, b) => b.spread.median - a.spread.median),
    ...isOurs
      ? shares.filter(([each]) => kindOf(each) === OWN).slice(0, NAMED)
        .map(([each, share]) => figure(`of it ${each.split(" ")[0]}`, share))
      : [],
  ];
}

const OWN = "the side's own functions";

function kindOf(each: string): string {
  return KINDS.find(([, has]) => has.test(each))?.[0] ?? OWN;
}

/** What of a profile is read. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
}

/** The functions, each with its share of the time that the process was busy, the greatest first. */
function readShares(
  { nodes, samples }: Profile,
): (readonly [each: string, share: number])[] {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url } }) => [
      id,
      `${functionName || "(anonymous)"} ${url}`,
    ]),
  );
  const counts = new Map<string, number>();
  let busy = 0;
  for (const sample of samples) {
    const each = names.get(sample)!;
    if (each === "(idle) ") continue;
    busy++;
    counts.set(each, (counts.get(each) ?? 0) + 1);
  }
  return Array.from(counts, ([each, count]) => [each, count / busy] as const)
    .sort(([, a], [, b]) => b - a);
}
