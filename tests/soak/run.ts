import { randomInt } from "node:crypto";
import { connect } from "node:net";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import fc from "fast-check";
import type { Access } from "../../mod.ts";
import { digest } from "../contract/stores.ts";
import { carryOut } from "../fuzz/exchange.ts";
import { expect, type Service } from "../fuzz/model.ts";
import { casesFor } from "../fuzz/requests.ts";
import { makePlants, SERVICE, startServer } from "../fuzz/server.ts";
import { replaceFile } from "../support/files.ts";
import { list } from "../support/send.ts";
import { until } from "../support/until.ts";
import { measure, MEASURED, type Usage } from "../support/usage.ts";

// npm run soak -- [--minutes N] [--seed N]
//
// Keeps one server busy while its files change between two editions, compares each
// response with those that the model of the fuzz test predicts for them, and checks
// that memory does not grow: what remains after garbage collection at the end is at
// most 10% or 1 MiB more than at half time.

const CLIENTS = 8, SLOW_READERS = 3, IDLE_CONNECTIONS = 50;

/** The number of measurements. */
const MEASUREMENTS = 20;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "20" },
    seed: { type: "string", default: `${randomInt(2 ** 30)}` },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes >= 1) || !Number.isSafeInteger(seed)) {
  console.error("soak: --minutes and --seed must be integers from 1");
  process.exit(2);
}

/** The contents of the files: the first, the last, and those in between. */
const SERVICES = [makePlants(100), makePlants(150, 2)].flatMap((plants) =>
  [SERVICE.users, new Map<string, Access>([...SERVICE.users, ["soak", "all"]])]
    .map((users): Service => ({ ...SERVICE, plants, users }))
);
const server = await startServer(SERVICES[0]!, MEASURED);
const { port } = server;
const start = performance.now();
const elapsed = () => (performance.now() - start) / 60_000;
const counts = { responses: 0, changes: 0, slow: 0, idle: 0 };
let failure: unknown;

/** Does something again and again until the end. */
async function repeat(act: (round: number) => Promise<unknown>): Promise<void> {
  try {
    for (let round = 0; elapsed() < minutes && !failure; round++) {
      await act(round);
    }
  } catch (error) {
    failure ??= error;
  }
}

/** Sends generated requests. */
async function sendGenerated(seed: number): Promise<void> {
  const [found] = fc.sample(casesFor(SERVICES), { seed, numRuns: 1 });
  for (const exchange of found!.exchanges) {
    await carryOut(exchange, {
      port,
      expect: (request) =>
        SERVICES.flatMap((service) => expect(request, service)),
      count: () => counts.responses++,
    });
  }
}

/** Opens a connection and reads nothing from it for a time. */
async function hold(text: string, milliseconds: number): Promise<void> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  socket.write(text);
  await setTimeout(milliseconds);
  socket.destroy();
}

/** Replaces both files, at first with invalid ones, and waits until they are served. */
async function change(round: number): Promise<void> {
  const { plants, users } = SERVICES.at(round % 2 - 1)!;
  const records = Array.from(users, ([user, access]) => [user, {
    plants: access,
    tokens: [{ sha256: digest(user) }],
  }]);
  for (const path of [server.plants, server.tokens]) {
    await replaceFile(path, "["); // has no effect
  }
  await setTimeout(1_000);
  await replaceFile(server.plants, JSON.stringify(plants));
  await replaceFile(
    server.tokens,
    JSON.stringify(Object.fromEntries(records)),
  );
  const status = users.has("soak") ? 200 : 401;
  const url = `http://127.0.0.1:${port}/`;
  await until(async () =>
    await (await list(url, "all")).text() === JSON.stringify(plants) &&
    (await list(url, "soak")).status === status
  );
  counts.changes++;
}

const request = "GET /plants HTTP/1.1\r\nHost: a\r\n" +
  "Authorization: Bearer all\r\n\r\n";
const times = (count: number, act: (index: number) => Promise<void>) =>
  Array.from({ length: count }, (_, index) => act(index));
const work = [
  ...times(
    CLIENTS,
    (client) =>
      repeat((round) => sendGenerated(seed + client * 1_000_000 + round)),
  ),
  ...times(SLOW_READERS, () =>
    repeat(async () => {
      await hold(request.repeat(200), 5_000);
      counts.slow++;
    })),
  ...times(IDLE_CONNECTIONS, () =>
    repeat(async () => {
      await hold("", 12_000);
      counts.idle++;
    })),
  repeat(change),
];

console.log(`Node.js ${process.versions.node}, seed ${seed}, in MiB:`);
const measured: Usage[] = [];
while (measured.length < MEASUREMENTS) {
  const due = minutes * (measured.length + 1) / MEASUREMENTS;
  while (elapsed() < due && !failure) await setTimeout(100);
  if (failure) break;
  const usage = await measure(server, measured.length + 1);
  measured.push(usage);
  const shown = [usage.heap, usage.buffers, usage.rss]
    .map((size) => size.toFixed(2)).join(", ");
  console.log(`minute ${due.toFixed(1)}: ${shown}; ${JSON.stringify(counts)}`);
}
await Promise.all(work);
await server.stop().catch((error) => failure ??= error);

for (const name of ["heap", "buffers"] as const) {
  if (failure) break;
  /** The least size in a quarter of the run. */
  const least = (quarter: number) =>
    Math.min(
      ...measured.map((usage) => usage[name])
        .slice(quarter * MEASUREMENTS / 4, (quarter + 1) * MEASUREMENTS / 4),
    );
  const half = least(1), end = least(3);
  console.log(`${name}: ${half.toFixed(2)}, at the end ${end.toFixed(2)} MiB`);
  if (end > Math.max(half * 1.1, half + 1)) failure = `the ${name} grow`;
}
if (failure) console.error(`soak: ${failure}`);
process.exit(failure ? 1 : 0);
