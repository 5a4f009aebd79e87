import { readFile, rename, writeFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { add, type Group, type Rounds } from "../compare.ts";
import {
  createPlants,
  CURATOR,
  FLORIST,
  writePlants,
  writeTemporary,
  writeTokens,
} from "../data.ts";
import { memory as memoryOf } from "../proc.ts";
import {
  ALL_CPUS,
  createBare,
  createProduct,
  load as loadServer,
  run,
  send,
  SERVER_CPU,
  startServer,
} from "../servers.ts";

const MILLION = 1_000_000;
const OPEN = "openFileStore", PARSE = "readFile and JSON.parse";

export const load: Group = {
  title: "Node.js: loading 1,000,000 plants",
  about:
    "`openFileStore` reads, validates, encodes, and indexes the plants (and 3 users). Each run is a new process.",
  pairs: [[OPEN, PARSE]],
  rounds: 7,
  duration: ({ rounds }) => 5 + rounds * 3,
  async run({ rounds }) {
    const plants = writePlants(MILLION);
    const sides = [[OPEN, plants, writeTokens(3, MILLION)], [PARSE, plants]];
    const found: Rounds = {};
    for (let round = 0; round < rounds; round++) {
      for (const [name, ...files] of sides) {
        const command = [process.execPath, "bench/sides/load.mjs", ...files];
        const output = await run(["taskset", "-c", SERVER_CPU, ...command]);
        add(found, name!, JSON.parse(output));
      }
    }
    return found;
  },
};

export const reload: Group = {
  title: "Node.js: reloading under load",
  about:
    "The plants file is replaced while a client sends 500 requests per second over 8 connections. Response times are measured from when each request was due. Every request must succeed.",
  pairs: [],
  rounds: 5,
  duration: ({ rounds }) => 15 + rounds * 14,
  async run({ rounds }, say) {
    const found: Rounds = {};
    for (const plants of [100_000, MILLION]) {
      const name = `${plants.toLocaleString("en")} plants`;
      say(name);
      const file = writeTemporary(
        `reload-${plants}.json`,
        () => createPlants(plants),
      );
      const text = await readFile(file, "utf8");
      const other = text.replace(/"name":"[^"]*"/, '"name":"Nova planta"');
      const side = await createProduct(name, { plants, file });
      const { port, stop } = await startServer({ ...side, cpus: ALL_CPUS });
      for (let round = 0; round < rounds; round++) {
        await writeFile(`${file}.new`, round % 2 ? text : other);
        let served = 0;
        const quiet = await watch(port, () => setTimeout(1_500));
        const longest = await watch(port, async () => {
          const start = performance.now();
          await replace(port, file);
          served = performance.now() - start;
        });
        add(found, name, { served, longest, quiet });
      }
      await stop();
    }
    return found;
  },
};

/** Replaces a file with the new one and waits until it is served. */
async function replace(port: number, file: string): Promise<void> {
  const query = { user: CURATOR, path: "/plants?limit=1" };
  const { body } = await send(port, query);
  await rename(`${file}.new`, file);
  while ((await send(port, query)).body === body) await setTimeout(50);
}

/** Returns the longest response time during `task` and shortly after, in milliseconds. */
async function watch(port: number, task: () => Promise<void>): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const headers = { authorization: `Bearer token-${FLORIST}` };
  const options = { port, path: "/plants?limit=20", agent, headers };
  let longest = 0, due = performance.now();
  function request(due: number): Promise<void> {
    return new Promise((resolve, reject) => {
      get({ host: "127.0.0.1", ...options }, (response) => {
        response.resume().on("end", () => {
          longest = Math.max(longest, performance.now() - due);
          const { statusCode } = response;
          if (statusCode === 200) resolve();
          else reject(new Error(`status ${statusCode} during a reload`));
        });
      }).on("error", reject);
    });
  }
  const requests: Promise<void>[] = [];
  const timer = setInterval(() => {
    for (; due <= performance.now(); due += 2) requests.push(request(due));
  }, 1);
  await setTimeout(1_000); // until all connections are open
  await Promise.all(requests);
  longest = 0;
  await task();
  await setTimeout(500);
  clearInterval(timer);
  await Promise.all(requests);
  agent.destroy();
  return longest;
}

/** How long a server is idle before its memory is read, in seconds. */
const REST = 4;

export const memory: Group = {
  title: "Node.js: memory",
  about:
    `Resident memory of the server, ${REST} seconds after startup and ${REST} seconds after a load with \`limit=20\`, and its peak. The file with 1,000,000 plants is 48 MB, and the file with 100,000 users is 18 MB.`,
  pairs: [],
  rounds: 3,
  duration: ({ rounds, seconds }) => 15 + rounds * 4 * (2 * REST + seconds + 2),
  async run({ rounds, seconds }, say) {
    const small = await createProduct("100 plants, 3 users");
    const content = { plants: MILLION, users: 100_000 };
    const sides = [
      await createBare("bare server", { ...small, user: FLORIST }),
      small,
      await createProduct("1,000,000 plants, 3 users", { plants: MILLION }),
      await createProduct("1,000,000 plants, 100,000 users", content),
    ];
    const found: Rounds = {};
    for (let round = 1; round <= rounds; round++) {
      say(`round ${round} of ${rounds}`);
      for (const side of sides) {
        const server = await startServer(side);
        await setTimeout(REST * 1_000);
        const started = memoryOf(server.pid).resident / 1e6;
        await loadServer(server, { ...side, user: FLORIST }, round, seconds);
        await setTimeout(REST * 1_000);
        const { resident, peak } = memoryOf(server.pid);
        await server.stop();
        const metrics = { started, loaded: resident / 1e6, peak: peak / 1e6 };
        add(found, side.name, metrics);
      }
    }
    return found;
  },
};
