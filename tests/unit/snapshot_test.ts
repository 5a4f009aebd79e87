import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { type Catalog, createCatalog } from "../../src/domain/catalog.ts";
import { encodePlants } from "../../src/domain/encoded_plants.ts";
import { createSnapshot } from "../../src/domain/snapshot.ts";
import { runSteps } from "../../src/domain/steps.ts";

/** Creates a snapshot with lists of a size, and records what it looks up. */
function createFake(byteLength: number, tokens = 9, isAsync = false) {
  const calls: string[] = [];
  const catalog: Catalog = {
    size: 3,
    list(access, count) {
      const user = access === "all" ? "all" : access.names![0]!;
      calls.push(`${user} ${count}`);
      const list = { body: "", byteLength, etag: '""' };
      return isAsync ? Promise.resolve(list) : list;
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
    /** Lists plants, and returns what the snapshot looked up. */
    list(token: string, limit?: number): string[] {
      calls.length = 0;
      snapshot.authenticate(token)!.list(limit);
      return [...calls];
    },
  };
}

const MEBIBYTE = 1024 * 1024;

for (const isAsync of [false, true]) {
  const title = isAsync ? "an asynchronous list" : "a list";
  test(`Viewer.list() keeps ${title} that is requested again`, async () => {
    const { list } = createFake(1, 9, isAsync);
    assertEquals(list("t1"), ["t1", "u1 3"]);
    assertEquals(list("t1", 3), ["u1 3"]);
    await Promise.resolve();
    assertEquals(list("t1", 9), []);
    assertEquals(list("t1", 2), ["u1 2"]);
    assertEquals(list("t1"), ["u1 3"]);
  });
}

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

test("a snapshot keeps lists of at most 32 MiB, even if every user is active", () => {
  const TOKENS = 60, MAX_KEPT = 32;
  const { list } = createFake(MEBIBYTE, TOKENS);
  // Each round adds a user, and all others stay active.
  for (let active = 1; active <= TOKENS; active++) {
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < active; at++) list(`t${at}`);
    }
  }
  let kept = 0;
  for (let at = 0; at < TOKENS; at++) if (list(`t${at}`).length === 0) kept++;
  assert(kept <= MAX_KEPT, `${kept} lists were kept`);
});
