import { test } from "node:test";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import type { Access } from "../../src/domain/access.ts";
import { type Catalog, createCatalog } from "../../src/domain/catalog.ts";
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

/** Creates a snapshot with the tokens `t0`, `t1`, and so on. */
function create(plants: readonly Plant[], tokens: number): Snapshot {
  const credentials = Array.from({ length: tokens }, (_, at) => {
    const access = ACCESS[at % ACCESS.length]!;
    return [`t${at}`, { user: `u${at}`, access }] as const;
  });
  const catalog = runSteps(createCatalog(encodePlants(plants)));
  return createSnapshot(catalog, new Map(credentials));
}

/** Returns the body that a token receives, by definition. */
function expected(plants: readonly Plant[], at: number, limit?: number) {
  const access = ACCESS[at % ACCESS.length]!;
  const { tags = [], names = [] } = access === "all" ? {} : access;
  const seen = plants.filter(({ name, tag }) =>
    access === "all" || names.includes(name) ||
    tag !== undefined && tags.includes(tag)
  );
  return JSON.stringify(seen.slice(0, limit));
}

async function list(snapshot: Snapshot, at: number, limit?: number) {
  const viewer = snapshot.authenticate(`t${at}`)!;
  return await viewer.list(limit) as EncodedList;
}

/** Six plants with names of a length. */
const createPlants = (length: number) =>
  ["a", "b", "c", "d", "e", "f"].map((letter, at) => ({
    name: letter.repeat(length),
    ...at % 2 === 0 && { tag: at === 0 ? "moss" : "fern" },
  }));

/** Compares texts without printing them. */
function assertSame({ body }: EncodedList, text: string): void {
  const received = new TextDecoder().decode(body as Uint8Array);
  if (received !== text) throw new Error(`another list of ${text.length}`);
}

test("Viewer.list() applies the limit of each request", async () => {
  const plants = createPlants(1);
  const request = fc.record({
    at: fc.nat(5),
    limit: fc.option(fc.nat(7), { nil: undefined }),
    times: fc.integer({ min: 1, max: 3 }),
    isTogether: fc.boolean(),
  });
  const property = fc.asyncProperty(
    fc.array(request, { maxLength: 12 }),
    async (requests) => {
      const snapshot = create(plants, 6);
      for (const { at, limit, times, isTogether } of requests) {
        const pending = Array.from({ length: times }, async () => {
          if (!isTogether) await Promise.resolve();
          return await list(snapshot, at, limit);
        });
        const text = expected(plants, at, limit);
        for (const each of await Promise.all(pending)) assertSame(each, text);
      }
    },
  );
  await fc.assert(property, { numRuns: 300 });
});

test("Viewer.list() applies the limit to lists that exceed the cache", async () => {
  const plants = createPlants(1_500_000);
  const snapshot = create(plants, 6);
  for (
    const [at, limit] of [[0, 6], [4, 6], [0, 3], [3, 6], [4, 6], [
      0,
      6,
    ]] as const
  ) {
    const text = expected(plants, at, limit);
    for (let time = 0; time < 3; time++) {
      assertSame(await list(snapshot, at, limit), text);
    }
  }
});

test("Viewer.list() applies the limit for more viewers than are cached", async () => {
  const plants = ["a", "b", "c"].map((name) => ({ name, tag: "fern" }));
  const count = 40_000;
  const snapshot = create(plants, count);
  for (let round = 0; round < 2; round++) {
    for (let at = 0; at < count; at++) {
      assertEquals(snapshot.authenticate(`t${at}`)?.user, `u${at}`);
      if (at % 31 !== 0) continue;
      const limit = (at + round) % 4;
      const text = expected(plants, at, limit);
      assertSame(await list(snapshot, at, limit), text);
    }
  }
});

test("Viewer.list() returns the same list from the third request on", async () => {
  const snapshot = create([{ name: "a" }, { name: "b" }], 1);
  await list(snapshot, 0, 1);
  const second = await list(snapshot, 0, 1);
  const viewer = snapshot.authenticate("t0")!;
  assertStrictEquals(await viewer.list(1), second);
  assertStrictEquals(await list(snapshot, 0, 1), second);
  assertEquals((await list(snapshot, 0)).byteLength, 27);
});

test("a snapshot keeps lists of at most 32 MiB, even if every user is active", () => {
  const TOKENS = 60, MAX_KEPT = 32;
  let created = 0;
  const catalog: Catalog = {
    size: 1,
    list() {
      created++;
      return { body: "", byteLength: 2 ** 20, etag: '""' };
    },
  };
  const credentials = Array.from({ length: TOKENS }, (_, at) => {
    const user = `u${at}`;
    return [`t${at}`, { user, access: "all" }] as const;
  });
  const snapshot = createSnapshot(catalog, new Map(credentials));
  // One more user in each round, and all others stay active.
  for (let active = 1; active <= TOKENS; active++) {
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < active; at++) {
        snapshot.authenticate(`t${at}`)!.list();
      }
    }
  }
  created = 0;
  for (let at = 0; at < TOKENS; at++) snapshot.authenticate(`t${at}`)!.list();
  assert(TOKENS - created <= MAX_KEPT, `${TOKENS - created} lists were kept`);
});
