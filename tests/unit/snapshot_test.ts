import { test } from "node:test";
import { assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import type { Access } from "../../src/domain/access.ts";
import { createCatalog } from "../../src/domain/catalog.ts";
import { encodePlants } from "../../src/domain/encoded_plants.ts";
import type { Plant } from "../../src/domain/plant.ts";
import { createSnapshot, type Snapshot } from "../../src/domain/snapshot.ts";
import { runSteps } from "../../src/domain/steps.ts";
import type { EncodedList } from "../../src/domain/store.ts";

const ACCESS: readonly Access[] = [
  "all",
  {},
  { tags: ["fern"] },
  { tags: ["fern", "moss"], names: ["a"] },
];

function create(plants: readonly Plant[], tokens: number): Snapshot {
  const credentials = Array.from({ length: tokens }, (_, at) => {
    const access = ACCESS[at % ACCESS.length]!;
    return [`t${at}`, { user: `u${at}`, access }] as const;
  });
  const catalog = runSteps(createCatalog(encodePlants(plants)));
  return createSnapshot(catalog, new Map(credentials));
}

/** What a token lists, by definition. */
function expected(plants: readonly Plant[], at: number, limit?: number) {
  const access = ACCESS[at % ACCESS.length]!;
  const { tags = [], names = [] } = access === "all" ? {} : access;
  return plants.filter(({ name, tag }) =>
    access === "all" || names.includes(name) ||
    tag !== undefined && tags.includes(tag)
  ).slice(0, limit);
}

async function list(snapshot: Snapshot, at: number, limit?: number) {
  const found = await snapshot.authenticate(`t${at}`)!.list(limit);
  const { body } = found as EncodedList;
  return JSON.parse(new TextDecoder().decode(body as Uint8Array));
}

// Long names, so that the lists of a few requests exceed what is kept.
for (const [size, runs] of [[1, 300], [2_000_000, 5]] as const) {
  test(`a snapshot lists the limit of each request, with names of ${size} characters`, async () => {
    const plants = ["a", "b", "c", "d", "e", "f"].map((letter, at) => ({
      name: letter.repeat(size),
      ...at % 2 === 0 && { tag: at === 0 ? "moss" : "fern" },
    }));
    const request = fc.record({
      at: fc.nat(5),
      limit: fc.option(fc.nat(7), { nil: undefined }),
      times: fc.integer({ min: 1, max: 3 }),
      isTogether: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { maxLength: 12 }),
        async (requests) => {
          const snapshot = create(plants, 6);
          for (const { at, limit, times, isTogether } of requests) {
            const lists: unknown[] = [];
            const pending = Array.from({ length: times }, async () => {
              if (!isTogether) await Promise.resolve();
              lists.push(await list(snapshot, at, limit));
            });
            await Promise.all(pending);
            for (const each of lists) {
              assertEquals(each, expected(plants, at, limit));
            }
          }
        },
      ),
      { numRuns: runs },
    );
  });
}

test("a snapshot lists the limit of each request of 100,000 tokens in turn", async () => {
  const plants = ["a", "b", "c"].map((name) => ({ name, tag: "fern" }));
  const snapshot = create(plants, 100_000);
  for (let round = 0; round < 2; round++) {
    for (let at = round; at < 100_000; at += 7) {
      const limit = (at + round) % 4;
      const plants_ = await list(snapshot, at, limit);
      if (plants_.length !== expected(plants, at, limit).length) {
        throw new Error(`${plants_.length} plants for t${at}, limit ${limit}`);
      }
    }
  }
});

test("a snapshot returns the same list from the third request on", async () => {
  const snapshot = create([{ name: "a" }, { name: "b" }], 1);
  const viewer = snapshot.authenticate("t0")!;
  await viewer.list(1);
  const list = await viewer.list(1);
  assertStrictEquals(await viewer.list(1), list);
  assertStrictEquals(await snapshot.authenticate("t0")!.list(1), list);
});
