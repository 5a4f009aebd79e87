import { load, send, type Server, type Side, startServer } from "./servers.ts";
import { createRandom } from "./stats.ts";

/** The metrics of each round, by the name of the side. */
export type Rounds = Record<string, Record<string, number[]>>;

/** Two sides to compare. The first is divided by the second. With a label, the ratio is in the summary. */
export type Pair = readonly [side: string, against: string, label?: string];

/** How long a group runs. */
export interface Settings {
  readonly rounds: number;
  /** The length of a round in seconds. */
  readonly seconds: number;
}

/** A part of the benchmark that can be run by itself. */
export interface Group {
  readonly title: string;
  /** How the group is measured. */
  readonly about: string;
  readonly pairs: readonly Pair[];
  /** The default number of rounds. */
  readonly rounds: number;
  /** Returns the approximate duration of a run, in seconds. */
  duration(settings: Settings): number;
  /** Runs all rounds; `say` is called before each part. */
  run(settings: Settings, say: (part: string) => void): Promise<Rounds>;
}

/** The number of times that servers are started, because their speed varies between starts. */
const STARTS = 3;

/**
 * Creates a group that puts each server under load in turn. `startTime` is the number
 * of seconds until all servers respond.
 */
export function compareUnderLoad({ startTime, createSides, ...group }:
  & Pick<Group, "title" | "about" | "pairs">
  & {
    readonly startTime: number;
    createSides(): Promise<readonly Side[]>;
  }): Group {
  const { size } = new Set(group.pairs.flatMap(([a, b]) => [a, b]));
  return {
    ...group,
    rounds: 12,
    duration: ({ rounds, seconds }) =>
      STARTS * startTime + (rounds + STARTS) * size * (seconds + 0.3),
    async run({ rounds, seconds }, say) {
      const sides = await createSides();
      const found: Rounds = {};
      for (let start = 1; start <= STARTS; start++) {
        say(`start ${start} of ${STARTS}`);
        const servers: Server[] = [];
        try {
          for (const side of sides) servers.push(await startServer(side));
          await checkPairs(group.pairs, sides, servers);
          const first = Math.ceil(rounds * (start - 1) / STARTS);
          const end = Math.ceil(rounds * start / STARTS);
          for (let round = first - 1; round < end; round++) {
            for (const at of shuffle(sides.keys(), round)) {
              const side = sides[at]!;
              const metrics = await load(
                servers[at]!,
                side,
                round + 1,
                seconds,
              );
              if (round >= first) add(found, side.name, metrics); // else, it is a warm-up
            }
          }
        } finally {
          await Promise.all(servers.map((server) => server.stop()));
        }
      }
      return found;
    },
  };
}

/** Adds the metrics of one round to a side. */
export function add(
  found: Rounds,
  side: string,
  metrics: Readonly<Record<string, number>>,
): void {
  const lists = found[side] ??= {};
  for (const [metric, value] of Object.entries(metrics)) {
    (lists[metric] ??= []).push(value);
  }
}

function shuffle<T>(values: Iterable<T>, seed: number): T[] {
  const random = createRandom(seed);
  return Array.from(values, (value) => [random(), value] as const)
    .sort(([a], [b]) => a - b).map(([, value]) => value);
}

/** Throws if the sides of a pair respond differently. */
async function checkPairs(
  pairs: readonly Pair[],
  sides: readonly Side[],
  servers: readonly Server[],
): Promise<void> {
  const responses = new Map<string, string>();
  for (const [at, side] of sides.entries()) {
    const { status, body } = await send(servers[at]!.port, side);
    responses.set(side.name, `${status} ${JSON.stringify(JSON.parse(body))}`);
  }
  for (const [side, against] of pairs) {
    const [a, b] = [responses.get(side), responses.get(against)];
    if (a === b) continue;
    throw new Error(`"${side}" and "${against}" differ:\n${a}\n${b}`);
  }
}
