import { performance } from "node:perf_hooks";
import process from "node:process";
import { createInterface } from "node:readline";
import postgres from "postgres";
import type { EncodedList } from "../../mod.ts";
import { openPostgresStore } from "../../src/stores/postgres.ts";
import { SESSION_SETTINGS } from "../../src/stores/postgres/pool.ts";
import { selectPlants } from "../../src/stores/postgres/queries.ts";

// Lists plants from a database in this process, through the store or by the same
// SELECT through the same client library. For each line "SECONDS CLIENTS" on
// standard input it lists so long, so many at once, and says how fast it was.

const LIMIT = 20, CONNECTIONS = 10;

const [side, url = "", token = "", access = ""] = process.argv.slice(2);
const list = side === "store" ? await openStore() : openClient();

async function openStore(): Promise<() => Promise<string | Uint8Array>> {
  const store = await openPostgresStore({ url, maxConnections: CONNECTIONS });
  return async () => {
    const view = await store.authenticate(token);
    const { body } = await view!.list(LIMIT) as EncodedList;
    return body;
  };
}

function openClient(): () => Promise<string> {
  const settings = Array.from(
    SESSION_SETTINGS.matchAll(/set (\w+) = (\w+);/g),
    ([, name, value]) => [name, value],
  );
  const sql = postgres(url, {
    max: CONNECTIONS,
    fetch_types: false,
    connection: Object.fromEntries(settings),
  });
  const query = { access: JSON.parse(access), limit: LIMIT, after: -1 };
  return async () => {
    const [row] = await selectPlants(sql, query, 0);
    return `[${row!["string_agg"]}]`;
  };
}

let ran = 0;

async function run(seconds: number, clients: number): Promise<void> {
  const times: number[] = [];
  const start = performance.now();
  const { user, system } = process.cpuUsage();
  const until = start + seconds * 1_000;
  await Promise.all(Array.from({ length: clients }, async () => {
    for (let now = start; now < until;) {
      await list();
      const end = performance.now();
      times.push(end - now);
      now = end;
    }
  }));
  const used = process.cpuUsage();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)]!;
  console.log(`ran ${++ran} ${
    JSON.stringify({
      requests: times.length,
      rate: times.length / (performance.now() - start) * 1e3,
      p50: at(0.5),
      p99: at(0.99),
      cpu: (used.user + used.system - user - system) / times.length,
    })
  }`);
}

const body = await list();
const text = typeof body === "string" ? body : new TextDecoder().decode(body);
console.log(`ready ${text}`);
for await (const line of createInterface(process.stdin)) {
  const [seconds, clients] = line.split(" ").map(Number);
  await run(seconds!, clients!);
}
process.exit();
