import { FLORIST } from "../lib/data.ts";
import { cpuTime } from "../lib/proc.ts";
import { judge } from "../lib/result.ts";
import { type RunningSide, startSide } from "../lib/sides.ts";
import { spread } from "../lib/stats.ts";
import { load } from "../lib/wrk.ts";
import { type Group, ROUNDS } from "./group.ts";

const CONNECTIONS = 64;

/** What more processes cost. */
export const processes: Group = {
  title: "Two processes on Node",
  about:
    `limit=20 over ${CONNECTIONS} connections: to one process, and at once to two on ports of their own, ${
      CONNECTIONS / 2
    } to each. All servers share one CPU, so that it is the cost of a request that is seen, not the second CPU.`,
  rounds: ROUNDS,
  async run(workshop, { rounds, seconds }) {
    const side = await workshop.ours("node");
    const servers: RunningSide[] = [];
    try {
      for (let at = 0; at < 3; at++) servers.push(await startSide(side));
      const [alone, ...pair] = servers;
      const one: number[] = [], two: number[] = [];
      for (let round = 0; round <= rounds; round++) {
        const found = [
          await cpuPerRequest([alone!], seconds),
          await cpuPerRequest(pair, seconds),
        ] as const;
        if (round === 0) continue; // warms up
        one.push(found[0]);
        two.push(found[1]);
      }
      const ratio = spread(two.map((cpu, index) => cpu / one[index]!));
      const name = "CPU per request";
      return {
        figures: [
          { name: `${name}, one process`, unit: "µs", spread: spread(one) },
          { name: `${name}, two processes`, unit: "µs", spread: spread(two) },
        ],
        targets: [
          judge(`${name}, two against one`, { atMost: 1.05 }, ratio),
        ],
      };
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  },
};

/** Loads all servers at once; microseconds. */
async function cpuPerRequest(
  servers: readonly RunningSide[],
  seconds: number,
): Promise<number> {
  const used = () => servers.reduce((sum, { pid }) => sum + cpuTime(pid), 0);
  const before = used();
  const found = await Promise.all(
    servers.map(({ port }) =>
      load(port, { user: FLORIST }, {
        seconds,
        connections: CONNECTIONS / servers.length,
      })
    ),
  );
  const requests = found.reduce((sum, each) => sum + each.requests, 0);
  return (used() - before) / requests / 1e3;
}
