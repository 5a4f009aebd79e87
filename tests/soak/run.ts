import { randomInt } from "node:crypto";
import { connect } from "node:net";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { carryOut } from "../fuzz/exchange.ts";
import { toText } from "../fuzz/model.ts";
import { casesFor } from "../fuzz/requests.ts";
import { makePlants, SERVICE, startServer } from "../fuzz/server.ts";
import { Shop } from "./shop.ts";
import { fit } from "./trend.ts";

// npm run soak -- [--minutes N] [--seed N]
//
// Keeps one server busy while its files change, compares each response with the
// model of the fuzz test, and measures whether memory grows.

const CLIENTS = 8, SLOW_READERS = 3, IDLE_CONNECTIONS = 50;

/** How many measurements a run has at least. */
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

const service = { ...SERVICE, plants: makePlants(100) };
const server = await startServer(service, {
  NODE_OPTIONS: "--import tsx --import ./tests/soak/heap.ts",
});
const { port } = server;
const shop = new Shop(server, service);
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
  const [found] = fc.sample(casesFor([shop.service]), { seed, numRuns: 1 });
  for (const exchange of found!.exchanges) {
    await carryOut(exchange, {
      port,
      expect: (...request) => shop.expect(...request),
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

const list = {
  lines: ["GET /plants HTTP/1.1", "Host: a", "Authorization: Bearer all"],
  body: "",
};
const work = [
  ...Array.from(
    { length: CLIENTS },
    (_, client) =>
      repeat((round) => sendGenerated(seed + client * 1_000_000 + round)),
  ),
  ...Array.from({ length: SLOW_READERS }, () =>
    repeat(async () => {
      await hold(toText(list).repeat(200), 5_000);
      counts.slow++;
    })),
  ...Array.from({ length: IDLE_CONNECTIONS }, () =>
    repeat(async () => {
      await hold("", 12_000);
      counts.idle++;
    })),
  repeat(async () => {
    await shop.change();
    counts.changes++;
    await setTimeout(500);
  }),
];

const measured = { heap: [], buffers: [], RSS: [] } as Record<string, number[]>;
const interval = Math.min(1, minutes / MEASUREMENTS);
console.log(`Node.js ${process.versions.node}, seed ${seed}, memory in MiB:\n`);
console.log("| minute | left | responses | changes | heap | buffers | RSS |");
console.log("| ------ | ---- | --------- | ------- | ---- | ------- | --- |");
for (let count = 1; count * interval <= minutes; count++) {
  while (elapsed() < count * interval && !failure) await setTimeout(100);
  if (failure) break;
  server.kill("SIGUSR2");
  const pattern = new RegExp(`^memory ${count}: (.*)$`, "m");
  const [, found = ""] = await server.until("stderr", pattern);
  const sizes = found.split(" ").map((bytes) => Number(bytes) / 2 ** 20);
  Object.values(measured).forEach((each, index) => each.push(sizes[index]!));
  const minute = count * interval;
  const cells = [
    minute,
    minutes - minute,
    counts.responses,
    counts.changes,
    ...sizes,
  ];
  const shown = cells.map((cell) =>
    cell.toFixed(Number.isInteger(cell) ? 0 : 2)
  );
  console.log(`| ${shown.join(" | ")} |`);
}
await Promise.all(work);
await server.stop().catch((error) => failure ??= error);

console.log(`\n${JSON.stringify(counts)}\n`);
if (failure) console.error(`soak: ${failure}`);
let grows = false;
for (const [name, values] of failure ? [] : Object.entries(measured)) {
  const { slope, low, high } = fit(values.slice(values.length / 2));
  const [shown, from, to] = [slope, low, high].map((each) =>
    (each / interval).toFixed(3)
  );
  console.log(
    `${name}: ${shown} MiB a minute in the second half (95% confidence: ${from} to ${to})`,
  );
  if (name !== "RSS" && low > 0) grows = true;
}
if (grows) console.error("soak: the memory that is retained grows");
process.exit(failure || grows ? 1 : 0);
