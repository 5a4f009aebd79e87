import { randomInt } from "node:crypto";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { carryOut } from "./exchange.ts";
import { toText, type WireRequest } from "../contract/wire.ts";
import { expect, type Host, isEmbedded, type Service } from "./model.ts";
import { type Case, casesFor, LAST } from "./requests.ts";
import { type Server, SERVICE, startServer } from "./server.ts";

// npm run fuzz -- [--requests N] [--seed N|fresh] [--path PATH]
//                 [--server serve|http|express]
//
// Sends generated requests to servers and compares the responses with the model.
// Each batch starts new servers and has its own seed, which you can pass to repeat the
// batch. By default, the servers run on the command line. With `--server`, a server has
// an asynchronous store, and many clients leave early. The servers run on the same
// Node.js as this program:
// `npx -p node@22 node --import tsx tests/fuzz/run.ts`.

/** How many cases a batch has. */
const BATCH = 1_000;

/** Statuses that a run of 10,000 requests reaches. */
const REACHED = [200, 204, 304, 400, 401, 404, 405, 414, 417, 431];

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "1000000" },
    seed: { type: "string", default: "fresh" },
    path: { type: "string", default: "" },
    server: { type: "string" },
  },
});
const host = values.server as Host | undefined;
const SERVICES: readonly Service[] = host
  ? [{ ...SERVICE, host }, { ...SERVICE, host, isSlow: true }]
  : [
    SERVICE,
    {
      ...SERVICE,
      basePath: "/api/v1",
      cors: ["https://a.example", "http://b"],
    },
    { ...SERVICE, cors: "off" },
  ];
const wanted = Number(values.requests);
const firstSeed = values.seed === "fresh"
  ? randomInt(2 ** 30)
  : Number(values.seed);
if (!(wanted >= 1) || !Number.isSafeInteger(firstSeed)) {
  console.error("fuzz: --requests and --seed must be integers");
  process.exit(2);
}

const statuses = new Map<number, number>();
let requests = 0;

function count(status: number): void {
  requests++;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (requests % 10_000 === 0) console.log(`${requests} of ${wanted} requests`);
}

const servers = new Map<Service, Server>();

async function stop(service: Service): Promise<void> {
  const server = servers.get(service);
  servers.delete(service);
  await server?.stop();
}

/** Sends a case to its server. */
async function send({ service, exchanges }: Case): Promise<void> {
  const server = servers.get(service) ?? await startServer(service);
  servers.set(service, server);
  const target = {
    port: server.port,
    canClose: isEmbedded(service),
    count,
    expect: (request: WireRequest) => expect(request, service),
  };
  try {
    await Promise.all(exchanges.map((exchange) => carryOut(exchange, target)));
    // The client does not notice a crash after its own reset.
    await carryOut({ requests: [LAST] }, { ...target, canClose: false });
  } catch (error) {
    await setTimeout(100); // a crash takes a moment
    if (server.process.exitCode !== null) await stop(service);
    throw error;
  }
}

/** Sends a batch, and returns a description of the smallest failure, if any. */
async function sendBatch(seed: number): Promise<string> {
  const property = fc.asyncProperty(casesFor(SERVICES), async (each) => {
    if (requests < wanted) await send(each);
  });
  const result = await fc.check(property, {
    seed,
    path: values.path,
    numRuns: BATCH,
    interruptAfterTimeLimit: 600_000, // ends shrinking
  });
  const problems: string[] = [];
  if (result.failed) {
    const [found] = result.counterexample!;
    const { documents: _, plants: _2, users: _3, ...options } = found.service;
    const command = `npm run fuzz -- --seed ${seed}${
      host ? ` --server ${host}` : ""
    }`;
    problems.push(
      `${result.errorInstance}`,
      `server: ${JSON.stringify(options)}`,
      ...found.exchanges.map((exchange) =>
        JSON.stringify({ ...exchange, requests: exchange.requests.map(toText) })
      ),
      `repeat: ${command} --path ${result.counterexamplePath}`,
      `or, if it depends on previous requests: ${command}`,
    );
  }
  for (const service of [...servers.keys()]) {
    await stop(service).catch((error) => problems.push(`${error}`));
  }
  return problems.join("\n");
}

console.log(`seed ${firstSeed}`);
let failure = "";
for (let seed = firstSeed; requests < wanted && !failure; seed++) {
  failure = await sendBatch(seed);
  if (values.path) break;
}
console.log(requests, Object.fromEntries(statuses));
// Hosts have no limit for targets.
const missing = REACHED.filter((status) =>
  !statuses.has(status) && (status !== 414 || !SERVICES.some(isEmbedded))
);
if (!failure && requests >= 10_000 && missing.length > 0) {
  failure = `no response had status ${missing}`;
}
if (failure) {
  console.error(`fuzz: ${failure}`);
  process.exit(1);
}
