import { compare, type Contender } from "../lib/compare.ts";
import { FLORIST } from "../lib/data.ts";
import {
  type Comparison,
  judge,
  judgeThroughput,
  type Target,
} from "../lib/result.ts";
import type { Workshop } from "../lib/sides.ts";
import type { Query } from "../lib/wrk.ts";
import { type Group, ROUNDS, say } from "./group.ts";

const QUERY: Query = { user: FLORIST };
const MILLION = 1_000_000, MANY = 100_000;

/** The same answer out of larger and larger files. */
export const sizes: Group = {
  title: "Sizes on Node",
  about:
    "limit=20 of the user who sees four kinds, against the same server with 100 plants and 3 users. The answers are the same bytes.",
  rounds: ROUNDS,
  async run(workshop, settings) {
    const comparisons: Comparison[] = [];
    const targets: Target[] = [];
    const rows = [[10_000, 3], [MILLION, 3], [100, MANY], [MILLION, MANY]];
    for (const [plants, users] of rows as [number, number][]) {
      const name = `${count(plants)} plants, ${count(users)} users`;
      say(`  ${name}`);
      const found = await compare(name, [
        await contender(workshop, plants, users),
        await contender(workshop, 100, 3),
      ], settings);
      comparisons.push(found);
      if (plants === MILLION && users === MANY) {
        targets.push(
          judgeThroughput(name, 0.95, found),
          judge(`${name}: p99`, { atMost: 1.2 }, found.p99),
        );
      }
    }
    return { comparisons, targets };
  },
};

/** How many users take turns in a round. */
const IN_TURN = 2_000;

/** Many users, each with a list of their own. */
export const users: Group = {
  title: "Users in turn on Node",
  about:
    `A million plants, 100,000 users who each see a few tags or names, limit=20. ${
      count(IN_TURN)
    } of them ask in turn, in each round others, so that the first request of each is included; the other side is one user who asks as often. With all users in turn there are more lists than a cache may keep.`,
  rounds: ROUNDS,
  async run(workshop, settings) {
    const { side, query } = await contender(workshop, MILLION, MANY);
    const one: Contender = {
      side: { ...side, name: "one user" },
      query,
      turns: () => ({ count: IN_TURN, first: FLORIST, step: 0 }),
    };
    // User 0 sees everything, and user 1 is the one on the other side.
    const blocks = Math.floor((MANY - 2) / IN_TURN);
    const some: Contender = {
      side: { ...side, name: `${count(IN_TURN)} users in turn` },
      query,
      turns: (round) => ({
        count: IN_TURN,
        first: 2 + (round % blocks) * IN_TURN,
        step: 1,
      }),
    };
    const all: Contender = {
      side: { ...side, name: `${count(MANY)} users in turn` },
      query,
      turns: () => ({ count: MANY - 2, first: 2, step: 1 }),
    };
    const oneOfAll: Contender = {
      ...one,
      turns: () => ({ count: MANY - 2, first: FLORIST, step: 0 }),
    };
    say(`  ${some.side.name}`);
    const found = await compare(some.side.name, [some, one], settings);
    say(`  ${all.side.name}`);
    return {
      comparisons: [
        found,
        await compare(all.side.name, [all, oneOfAll], settings),
      ],
      targets: [judgeThroughput(found.name, 0.7, found)],
    };
  },
};

async function contender(
  workshop: Workshop,
  plants: number,
  users: number,
): Promise<Contender> {
  const side = await workshop.ours("node", { plants, users });
  const name = `${count(plants)} plants, ${count(users)} users`;
  return { side: { ...side, name }, query: QUERY };
}

function count(value: number): string {
  return value.toLocaleString("en");
}
