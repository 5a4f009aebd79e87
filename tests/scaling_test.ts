import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";

// The figures of docs/scaling.md are those of the benchmark, as far as two runs
// of it agree, and what is calculated of them is right.

const docs = await readFile("docs/scaling.md", "utf8");
const prose = docs.replaceAll(/\s+/g, " ");
const results = JSON.parse(await readFile("bench/results.json", "utf8"));

/** How far, relative to it, what is said may be from what was found last. */
const TOLERANCE = 0.15;

/** The median of a figure of the benchmark. */
function figure(group: string, name: string): number {
  const found = results[group].figures.find((
    each: { readonly name: string },
  ) => each.name === name);
  return found.spread.median;
}

/** What a request costs a replica and the database, in microseconds. */
function costs(name: string): number[] {
  return ["replicas", "database"].map((part) =>
    figure("postgres", `${name}: CPU of the ${part}`)
  );
}

function assertAgree(what: string, said: number, found: number): void {
  assert(
    Math.abs(said - found) <= TOLERANCE * found,
    `${what}: docs/scaling.md says ${said}, the benchmark found ${found}`,
  );
}

/** How many CPUs 100,000 requests a second take, each busy for 60% of the time. */
function toCpus(cost: number): number {
  return Math.ceil(cost / 10 / 0.6);
}

/** The numbers in what the docs say. */
function read(pattern: RegExp): number[] {
  const [, ...numbers] = pattern.exec(prose) ?? [];
  assert(numbers.length > 0, `docs/scaling.md has to have ${pattern}`);
  return numbers.map(Number);
}

test("docs/scaling.md: costs are those of the benchmark", () => {
  const rows = docs.matchAll(/^\| (.+?) +\| (\d+) +\| (\d+) +\|$/gm);
  const said = Array.from(rows, ([, what, ...cells]) => ({
    what: what!,
    cells: cells.map(Number),
  }));
  const [inProcess, , sizes] = results.postgres.comparisons;
  const found = [
    costs("one replica"),
    costs("304 in the place of the list"),
    costs("the user who sees all"),
    costs("1,000 plants"),
    costs("100,000 users in turn"),
    [
      inProcess.sides[0].cpu,
      figure("postgres", "in process, 10 at once: CPU of the database, store"),
    ],
  ];
  assertEquals(said.length, found.length);
  for (const [at, { what, cells }] of said.entries()) {
    cells.forEach((cell, part) => assertAgree(what, cell, found[at]![part]!));
  }
  const { sides: [store, client], throughput } =
    results.postgres.comparisons[1];
  const [saved, spent, slow, quick] = read(
    /takes (\d+) µs of the process rather than (\d+), .*? waits (\d+) ms rather than (\d+)/,
  );
  assertAgree("sharing: CPU", saved!, store.cpu);
  assertAgree("the client: CPU", spent!, client.cpu);
  assertAgree("sharing: p99", slow!, store.p99);
  assertAgree("the client: p99", quick!, client.p99);
  const [gain] = read(/gain in lists per second, ([\d.]+),/);
  assertAgree("sharing: throughput", gain!, throughput.median);
  const [more] = read(/A million plants cost (\d+)% more/);
  assertAgree("a million plants", 1 + more! / 100, sizes.cpu.median);
});

test("docs/scaling.md: what files cost is from the benchmark", () => {
  const [files] = read(/costs a server of the files (\d+) µs/);
  assertAgree("files", files!, results.limits.comparisons[0].sides[0].cpu);
  const [memory] = read(/take (\d+) MB of memory/);
  const settled = figure("memory", "100,000 users: after a load");
  assertAgree("memory", memory!, settled);
  const [seconds] = read(/served in ([\d.]+) seconds/);
  const served = figure("reload", "1,000,000 plants: from rename to served");
  assertAgree("reload", seconds!, served / 1_000);
});

test("docs/scaling.md: the calculation is made of these costs, and right", () => {
  const [replica, database] = read(/judged before \| (\d+) \| (\d+) /);
  const [, inTurn] = read(/users in turn, a million plants \| (\d+) \| (\d+) /);
  const [files] = read(/costs a server of the files (\d+) µs/);
  const terms = Array.from(
    prose.matchAll(/100,000 × (\d+) µs = ([\d.]+) CPUs/g),
    ([, cost, cpus]) => [Number(cost), Number(cpus)],
  );
  const expected = [replica!, database!, inTurn! - database!, files!];
  assertEquals(terms, expected.map((cost) => [cost, cost / 10]));

  const [replicas, lists, tokens] = expected.map(toCpus);
  assert(prose.includes(`${replicas} replicas, on a CPU each`));
  assert(prose.includes(`${lists} CPUs: `));
  assert(prose.includes(`${tokens} CPUs of the primary`));
  const [forLists, forTokens, sum] = read(
    /([\d.]+) \+ ([\d.]+) = ([\d.]+) CPUs/,
  );
  assertEquals([forLists, forTokens], [expected[1]! / 10, expected[2]! / 10]);
  assertEquals(sum, (expected[1]! + expected[2]!) / 10);
  const primary = toCpus(expected[1]! + expected[2]!);
  assert(prose.includes(`a primary of ${primary} CPUs`));
  assert(prose.includes(`${replicas} × 11 to the primary`));
  const [bytes, gigabits] = read(/100,000 × (\d+) bytes = ([\d.]+) Gbit/);
  assertEquals(bytes, figure("postgres", "the list: body"));
  assertEquals(gigabits, Math.round(bytes! * 8 / 1e3) / 10);
});
