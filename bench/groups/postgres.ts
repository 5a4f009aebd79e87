import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Round, summarize } from "../lib/compare.ts";
import {
  type Child,
  CLIENT_CPU,
  run,
  SERVER_CPU,
  start,
} from "../lib/child.ts";
import { CURATOR, FLORIST } from "../lib/data.ts";
import { ask } from "../lib/http.ts";
import { cpuTime } from "../lib/proc.ts";
import {
  type Comparison,
  type Figure,
  judge,
  judgeThroughput,
} from "../lib/result.ts";
import {
  BENCH,
  ROOT,
  type RunningSide,
  type Side,
  startSide,
  type Workshop,
} from "../lib/sides.ts";
import { spread } from "../lib/stats.ts";
import { type Load, load, type Query } from "../lib/wrk.ts";
import { type Group, ROUNDS, say, type Settings } from "./group.ts";

const CONNECTIONS = 64;
const QUERY: Query = { user: FLORIST };

/** The databases, with how many plants and users they have. */
const CONTENTS = {
  thousand: [1_000, 3],
  million: [1_000_000, 100_000],
} as const;
type Name = keyof typeof CONTENTS;

/** How often a query is measured that nothing is compared with. */
const FEW_ROUNDS = 5;

/** How many rounds long a side warms up: a slow one takes long until all of it is compiled. */
const WARM_UP = 4;

/** The store on PostgreSQL. */
export const postgres: Group = {
  title: "On PostgreSQL, on Node",
  about:
    `limit=20 of the user who sees four kinds, whose token has been judged, where nothing else is said. PostgreSQL 18 with its defaults (but for fsync, which no list needs) shares a CPU with the client, and the replicas, or the process that lists without HTTP, have the other one. In process, CPU is that of the process; over HTTP, with ${CONNECTIONS} connections to each replica, it is that of the replicas and the database together. Two replicas share one CPU, so that it is the cost of a request that is seen, not what a second machine adds.`,
  rounds: ROUNDS,
  async run(workshop, settings) {
    const database = await startDatabase(workshop);
    try {
      const inProcess = await compareInProcess(workshop, database, settings);
      const thousand = await replicaOn(workshop, database, "thousand");
      const million = await replicaOn(workshop, database, "million");
      const sizes = await compareReplicas(
        "1,000,000 plants, 100,000 users",
        [{ name: "million", sides: [million] }, {
          name: "1,000 plants, 3 users",
          sides: [thousand],
        }],
        database,
        settings,
      );
      const replicas = await compareReplicas(
        "two replicas",
        [{ name: "two", sides: [thousand, thousand] }, {
          name: "one replica",
          sides: [thousand],
        }],
        database,
        settings,
      );
      return {
        comparisons: [
          ...inProcess.comparisons,
          sizes.comparison,
          replicas.comparison,
        ],
        targets: [
          ...inProcess.comparisons.map((each) =>
            judgeThroughput(each.name, 0.8, each)
          ),
          judgeThroughput(sizes.comparison.name, 0.9, sizes.comparison),
          judge(
            "two replicas: CPU per request",
            { atMost: 1.05 },
            replicas.comparison.cpu,
          ),
        ],
        figures: [
          ...inProcess.figures,
          ...figures("two replicas", replicas.rounds[0]),
          ...figures("one replica", replicas.rounds[1]),
          ...await measureQueries(workshop, database, settings),
        ],
      };
    } finally {
      await database.stop();
    }
  },
};

/** A database server with its databases. */
interface Database {
  readonly pid: number;
  urlOf(name: Name): string;
  stop(): Promise<void>;
}

async function startDatabase(workshop: Workshop): Promise<Database> {
  const { data, programs: { node }, built } = workshop;
  const child = start([
    ...[node, "--import", "tsx", join(BENCH, "programs/database.mjs")],
    ...Object.keys(CONTENTS),
  ], { cwd: ROOT, cpu: CLIENT_CPU });
  const [, server] = await child.until(/^ready (.*)\n/m);
  const urlOf = (name: Name) => server!.replace(/[^/]*$/, name);
  for (const [name, [plants, users]] of Object.entries(CONTENTS)) {
    say(`  filling ${name}`);
    await run([
      ...[node, built, "import", "--database-url", urlOf(name as Name)],
      ...["--plants", await data.plants(plants)],
      ...["--tokens", await data.tokens(users, plants)],
    ]);
  }
  return {
    pid: child.pid,
    urlOf,
    async stop() {
      child.stdin.end();
      await child.ended;
    },
  };
}

async function replicaOn(
  workshop: Workshop,
  { urlOf }: Database,
  name: Name,
): Promise<Side> {
  const side = await workshop.ours("node");
  return { ...side, env: { DATABASE_URL: urlOf(name) } };
}

/** What a round of a process has found. */
interface InProcess extends Round {
  readonly requests: number;
}

/** Lists through the store, and by the same SELECT through the client library. */
async function compareInProcess(
  { data, programs: { node }, builtLists }: Workshop,
  database: Database,
  { rounds, seconds }: Settings,
): Promise<{ comparisons: Comparison[]; figures: Figure[] }> {
  const users = JSON.parse(
    await readFile(await data.tokens(...swap(CONTENTS.thousand)), "utf8"),
  );
  const args = [
    ...[database.urlOf("thousand"), `token-${FLORIST}`],
    JSON.stringify(users[`user-${FLORIST}`].plants),
  ];
  const children: Child[] = [];
  const lists: string[] = [];
  for (const side of ["store", "client"]) {
    const child = start([node, builtLists, side, ...args], { cpu: SERVER_CPU });
    children.push(child);
    lists.push((await child.until(/^ready (.*)\n/m))[1]!);
  }
  if (lists[0] !== lists[1]) {
    throw new Error(`both must list alike:\n${lists.join("\n")}`);
  }
  const comparisons: Comparison[] = [], figures: Figure[] = [];
  let ran = 0;
  for (const clients of [10, CONNECTIONS]) {
    const name = `in process, ${clients} at once`;
    say(`  ${name}`);
    const found: [InProcess[], InProcess[]] = [[], []];
    const used: [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      ran++;
      const time = round === 0 ? seconds * WARM_UP : seconds;
      for (const [at, child] of children.entries()) {
        const before = cpuTime(database.pid);
        child.stdin.write(`${time} ${clients}\n`);
        const [, json] = await child.until(
          new RegExp(`^ran ${ran} (.*)\\n`, "m"),
        );
        if (round === 0) continue;
        const each: InProcess = JSON.parse(json!);
        found[at]!.push(each);
        used[at]!.push((cpuTime(database.pid) - before) / each.requests / 1e3);
      }
    }
    const names = ["store", "the same SELECT through the client"] as const;
    comparisons.push(summarize(name, names, found));
    figures.push(...used.map((values, at) => ({
      name: `${name}: CPU of the database, ${names[at]}`,
      unit: "µs",
      spread: spread(values),
    })));
  }
  for (const child of children) child.stdin.end();
  await Promise.all(children.map(({ ended }) => ended));
  return { comparisons, figures };
}

function swap<A, B>([first, second]: readonly [A, B]): [B, A] {
  return [second, first];
}

/** Replicas that are loaded at once. */
interface Replicas {
  readonly name: string;
  readonly sides: readonly Side[];
}

/** What a round of replicas has found: CPU per request is that of both. */
interface Served extends Round {
  readonly replicas: number;
  readonly database: number;
}

async function compareReplicas(
  name: string,
  contenders: readonly [Replicas, Replicas],
  database: Database,
  { rounds, seconds }: Settings,
): Promise<{ comparison: Comparison; rounds: [Served[], Served[]] }> {
  say(`  ${name}`);
  const found: [Served[], Served[]] = [[], []];
  const started = await Promise.all(
    contenders.map(({ sides }) => startAll(sides)),
  ) as [RunningSide[], RunningSide[]];
  try {
    await checkAlike(started.flat());
    for (const servers of started) {
      await loadAll(servers, database, QUERY, { seconds: seconds * WARM_UP });
    }
    for (let round = 0; round < rounds; round++) {
      for (const [at, servers] of started.entries()) {
        found[at]!.push(await loadAll(servers, database, QUERY, { seconds }));
      }
    }
  } finally {
    await Promise.all(started.flat().map((server) => server.stop()));
  }
  const names = [contenders[0].name, contenders[1].name] as const;
  return { comparison: summarize(name, names, found), rounds: found };
}

async function startAll(sides: readonly Side[]): Promise<RunningSide[]> {
  const servers: RunningSide[] = [];
  for (const side of sides) servers.push(await startSide(side));
  return servers;
}

/** Refuses replicas that answer differently. */
async function checkAlike(servers: readonly RunningSide[]): Promise<void> {
  const answers = new Set<string>();
  for (const { port } of servers) {
    const { status, body } = await ask(port, QUERY);
    answers.add(`${status} ${body}`);
  }
  if (answers.size === 1 && [...answers][0]!.startsWith("200 ")) return;
  throw new Error(`replicas must answer alike:\n${[...answers].join("\n")}`);
}

async function loadAll(
  servers: readonly RunningSide[],
  database: Database,
  query: Query,
  { seconds, turns }: Pick<Load, "seconds" | "turns">,
): Promise<Served> {
  const used = () => [
    servers.reduce((sum, { pid }) => sum + cpuTime(pid), 0),
    cpuTime(database.pid),
  ];
  const before = used();
  const found = await Promise.all(
    servers.map(({ port }) =>
      load(port, query, {
        seconds,
        connections: CONNECTIONS,
        ...turns && { turns },
      })
    ),
  );
  const requests = found.reduce((sum, each) => sum + each.requests, 0);
  const [replicas = 0, ofDatabase = 0] = used()
    .map((value, at) => (value - before[at]!) / requests / 1e3);
  return {
    rate: found.reduce((sum, { rate }) => sum + rate, 0),
    p50: Math.max(...found.map(({ p50 }) => p50)),
    p99: Math.max(...found.map(({ p99 }) => p99)),
    cpu: replicas + ofDatabase,
    replicas,
    database: ofDatabase,
  };
}

/** What other queries cost: each asks one replica. */
async function measureQueries(
  workshop: Workshop,
  database: Database,
  { rounds, seconds }: Settings,
): Promise<Figure[]> {
  const found: Figure[] = [];
  async function measure(
    name: string,
    server: RunningSide,
    query: Query,
    turns?: Load["turns"],
  ): Promise<void> {
    say(`  ${name}`);
    const options = { seconds, ...turns && { turns } };
    await loadAll([server], database, query, {
      ...options,
      seconds: seconds * WARM_UP,
    });
    const served: Served[] = [];
    for (let round = 0; round < Math.min(rounds, FEW_ROUNDS); round++) {
      served.push(await loadAll([server], database, query, options));
    }
    found.push(...figures(name, served));
  }

  const thousand = await startSide(
    await replicaOn(workshop, database, "thousand"),
  );
  try {
    const { headers, body } = await ask(thousand.port, QUERY);
    found.push({
      name: "the list: body",
      unit: "bytes",
      spread: spread([body.length]),
    });
    await measure("304 in the place of the list", thousand, {
      ...QUERY,
      headers: { "If-None-Match": headers["ETag"]! },
      status: 304,
    });
    await measure("the user who sees all", thousand, { user: CURATOR });
    await measure("1,000 plants", thousand, { user: CURATOR, path: "/plants" });
  } finally {
    await thousand.stop();
  }

  const million = await startSide(
    await replicaOn(workshop, database, "million"),
  );
  try {
    const [, users] = CONTENTS.million;
    await measure("100,000 users in turn", million, QUERY, {
      count: users - 2,
      first: 2,
      step: 1,
    });
  } finally {
    await million.stop();
  }
  return found;
}

function figures(name: string, rounds: readonly Served[]): Figure[] {
  const figure = (what: string, key: keyof Served, unit: string): Figure => ({
    name: `${name}: ${what}`,
    unit,
    spread: spread(rounds.map((each) => each[key])),
  });
  return [
    figure("throughput", "rate", "requests/s"),
    figure("CPU of the replicas", "replicas", "µs"),
    figure("CPU of the database", "database", "µs"),
  ];
}
