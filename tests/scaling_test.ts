import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";

// The figures of docs/scaling.md are those of the benchmark's last run.

const docs = await readFile("docs/scaling.md", "utf8");
const results = JSON.parse(await readFile("bench/results.json", "utf8"));

/** The median of a figure of the benchmark. */
function figure(group: string, name: string): number {
  const found = results[group].figures.find((
    each: { readonly name: string },
  ) => each.name === name);
  return found.spread.median;
}

/** What a request costs a replica and the database, in whole microseconds. */
function costs(name: string): number[] {
  return ["replicas", "database"].map((part) =>
    Math.round(figure("postgres", `${name}: CPU of the ${part}`))
  );
}

/** What a request costs a server of the files. */
const FILES: number = Math.round(results.limits.comparisons[0].sides[0].cpu);

const ONE = costs("one replica");
const IN_TURN = costs("100,000 users in turn");

test("docs/scaling.md: a request costs what the benchmark has found", () => {
  const rows = docs.matchAll(/^\| (.+?) +\| (\d+) +\| (\d+) +\|$/gm);
  const found = Array.from(rows, ([, ...cells]) => cells);
  const direct = ", store";
  const expected = [
    ["a user with four tags, token judged before", ...ONE],
    ["the same, answered 304", ...costs("304 in the place of the list")],
    ["a user who sees all", ...costs("the user who sees all")],
    ["a user who sees all, all 1,000 plants", ...costs("1,000 plants")],
    ["100,000 users in turn, a million plants", ...IN_TURN],
    [
      "a user with four tags, 10 at once, without HTTP",
      Math.round(results.postgres.comparisons[0].sides[0].cpu),
      Math.round(
        figure(
          "postgres",
          `in process, 10 at once: CPU of the database${direct}`,
        ),
      ),
    ],
  ];
  assertEquals(found, expected.map((row) => row.map(String)));
  const [, , sizes] = results.postgres.comparisons;
  const more = Math.round((sizes.cpu.median - 1) * 100);
  assert(docs.includes(`A million plants cost ${more}% more`));
});

test("docs/scaling.md: the calculation is made of these costs, and right", () => {
  const terms = docs.matchAll(/100,000 × (\d+) µs = ([\d.]+) CPUs/g);
  const found = Array.from(terms, ([, cost, cpus]) => {
    assertEquals(cpus, (Number(cost) / 10).toFixed(1));
    return Number(cost);
  });
  const judging = IN_TURN[1]! - ONE[1]!;
  assertEquals(found, [...ONE, judging, FILES]);
  const [replicas, lists] = ONE.map((cost) => Math.ceil(cost / 10 / 0.6));
  assert(docs.includes(`${replicas} replicas`));
  assert(docs.includes(`15 × 11`.replace("15", `${replicas}`)));
  assert(docs.includes(`${lists} CPUs`));
  const bytes = figure("postgres", "the list: body");
  const gigabits = (bytes * 8 / 1e4).toFixed(1);
  assert(docs.includes(`100,000 × ${bytes} bytes = ${gigabits} Gbit/s`));
});

test("docs/scaling.md: files cost what the benchmark has found", () => {
  const settled = figure("memory", "100,000 users: after a load");
  assert(docs.includes(`${Math.round(settled)} MB`));
  const served = figure("reload", "1,000,000 plants: from rename to served");
  assert(docs.includes(`in ${(served / 1_000).toFixed(1)} seconds`));
  assert(docs.includes(`${FILES} µs of CPU`));
});
