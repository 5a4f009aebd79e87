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

/** Defines which body a token receives. */
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

/** Compares texts without printing them. */
function assertSame({ body }: EncodedList, text: string): void {
  const received = new TextDecoder().decode(body as Uint8Array);
  if (received !== text) throw new Error(`another list of ${text.length}`);
}

test("Viewer.list() applies the limit of each request", async () => {
  const plants = [..."abcdef"].map((name, at) => ({
    name,
    ...at % 2 === 0 && { tag: at === 0 ? "moss" : "fern" },
  }));
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

/** Creates a snapshot with lists of a size, and records what it looks up. */
function createFake(byteLength: number, tokens = 9) {
  const calls: string[] = [];
  const catalog: Catalog = {
    size: 3,
    list(access, count) {
      const user = access === "all" ? "all" : access.names![0]!;
      calls.push(`${user} ${count}`);
      return { body: "", byteLength, etag: '""' };
    },
  };
  const credentials = Array.from({ length: tokens }, (_, at) => {
    const user = `u${at}`;
    return [`key of t${at}`, { user, access: { names: [user] } }] as const;
  });
  const keyOf = (token: string) => {
    calls.push(token);
    return `key of ${token}`;
  };
  const snapshot = createSnapshot(catalog, new Map(credentials), { keyOf });
  return {
    calls,
    authenticate: snapshot.authenticate,
    /** Lists plants, and returns what the snapshot looked up. */
    list(token: string, limit?: number): string[] {
      calls.length = 0;
      snapshot.authenticate(token)!.list(limit);
      return [...calls];
    },
  };
}

const MEBIBYTE = 1024 * 1024;

test("Viewer.list() keeps a list that is requested again", () => {
  const { list } = createFake(1);
  assertEquals(list("t1"), ["t1", "u1 3"]);
  assertEquals(list("t1", 3), ["u1 3"]);
  assertEquals(list("t1", 9), []);
  assertEquals(list("t1", 2), ["u1 2"]);
  assertEquals(list("t1"), ["u1 3"]);
});

test("Viewer.list() keeps lists of up to 16 MiB", () => {
  for (const [byteLength, isKept] of [[16, true], [16.1, false]] as const) {
    const { list } = createFake(byteLength * MEBIBYTE);
    list("t1");
    list("t1");
    assertEquals(list("t1"), isKept ? [] : ["u1 3"]);
  }
});

test("Viewer.list() forgets a list that is unused while 32 MiB of others are used", () => {
  const { list } = createFake(7 * MEBIBYTE);
  for (const token of ["t1", "t2", "t3", "t4", "t5"]) {
    list(token);
    list(token);
    assertEquals(list(token), []);
    assertEquals(list("t1"), []); // used, so kept
  }
  assertEquals(list("t5"), []);
  list("t6");
  list("t6");
  assertEquals(list("t2"), ["t2", "u2 3"]);
});

test("Snapshot.authenticate() forgets a viewer that is unused while 80,000 others are used", () => {
  const { authenticate, calls } = createFake(1, 80_000);
  for (let at = 0; at < 80_000; at++) {
    authenticate(`t${at}`);
    authenticate("t0");
  }
  assertEquals(calls.length, 80_000);
  calls.length = 0;
  authenticate("t0");
  authenticate("t79999");
  authenticate("t1");
  assertEquals(calls, ["t1"]);
});

test("Snapshot.authenticate() accepts a token until the millisecond in which it expires", () => {
  let now = 999;
  const credential = { user: "u", access: "all", expires: 1_000 } as const;
  const catalog = runSteps(createCatalog(encodePlants([])));
  const snapshot = createSnapshot(catalog, new Map([["t", credential]]), {
    now: () => now,
  });
  assertEquals(snapshot.authenticate("t")?.user, "u");
  now = 1_000;
  assertEquals(snapshot.authenticate("t"), undefined);
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
  // Each round adds a user, and all others stay active.
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
