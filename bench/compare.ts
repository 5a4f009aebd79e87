import {
  load,
  send,
  type Server,
  type Side,
  startServer,
  stop,
} from "./servers.ts";

/** The metrics of each round, by the name of the side. */
export type Rounds = Record<string, Record<string, number[]>>;

/** Two sides to compare. The first is divided by the second. */
export type Pair = readonly [side: string, against: string];

/** How long a group runs. */
export interface Settings {
  readonly rounds: number;
  /** The length of a round in seconds. */
  readonly seconds: number;
}

/** A part of the benchmark that can be run by itself. */
export interface Group {
  readonly pairs: readonly Pair[];
  /** The default number of rounds. */
  readonly rounds: number;
  /** Runs all rounds; `say` is called before each part. */
  run(settings: Settings, say: (part: string) => void): Promise<Rounds>;
}

/** The number of times that servers are started, because their speed varies between starts. */
const STARTS = 3;

/** Creates a group that puts each server under load in turn. */
export function compareUnderLoad(
  pairs: readonly Pair[],
  createSides: () => Promise<readonly Side[]>,
): Group {
  return {
    pairs,
    rounds: 12,
    async run({ rounds, seconds }, say) {
      const sides = await createSides();
      const found: Rounds = {};
      for (let start = 0; start < STARTS; start++) {
        say(`start ${start + 1} of ${STARTS}`);
        const servers: Server[] = [];
        try {
          for (const side of sides) servers.push(await startServer(side));
          await checkPairs(pairs, servers);
          for (let round = start - STARTS; round < rounds; round += STARTS) {
            for (const [offset] of sides.entries()) {
              // Each round starts with another side.
              const at = (round + STARTS + offset) % sides.length;
              const server = servers[at]!;
              const isWarmUp = round < 0;
              const duration = isWarmUp ? 2 * seconds : seconds;
              const metrics = await load(server, round, duration);
              if (!isWarmUp) add(found, server.side.name, metrics);
            }
          }
        } finally {
          await stop(servers);
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

/** Throws if the sides of a pair respond differently. */
async function checkPairs(
  pairs: readonly Pair[],
  servers: readonly Server[],
): Promise<void> {
  const responses = new Map<string, string>();
  for (const server of servers) {
    const response = await send(server);
    const body = JSON.stringify(await response.json());
    responses.set(server.side.name, `${response.status} ${body}`);
  }
  for (const [side, against] of pairs) {
    const [a, b] = [responses.get(side), responses.get(against)];
    if (a === b) continue;
    throw new Error(`"${side}" and "${against}" differ:\n${a}\n${b}`);
  }
}
