import { createHash } from "node:crypto";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import type { Plant } from "../../mod.ts";
import { ProblemList } from "../../src/domain/schema.ts";
import { createSnapshot, type Credential } from "../../src/domain/snapshot.ts";
import { UserList } from "../../src/domain/user.ts";

const LETTERS = [{ name: "a" }, { name: "b" }, { name: "c" }];

/** Returns a function that lists plants and says whether the list was kept from before. */
function createLister(plants: readonly Plant[], users: number) {
  const list = new UserList(), problems = new ProblemList();
  for (let at = 1; at <= users; at++) {
    const access = { names: ["b"] };
    list.add(`all${at}`, { plants: "all", tokens: [`all${at}`] }, problems);
    list.add(`b${at}`, { plants: access, tokens: [`b${at}`] }, problems);
  }
  const snapshot = createSnapshot(plants, list);
  const seen = new WeakSet<readonly Plant[]>();
  return async (token: string, limit?: number): Promise<boolean> => {
    const user = (await snapshot.authenticate(token))!;
    const found = await user.list(limit);
    const all = plants.filter(({ name }) => token[0] === "a" || name === "b");
    assertEquals(found, all.slice(0, limit));
    const isKept = seen.has(found);
    const isShared = found.length === plants.length;
    assertEquals(Object.isFrozen(found), isKept || isShared);
    seen.add(found);
    return isKept;
  };
}

test("a snapshot keeps the last list of each user", async () => {
  const list = createLister(LETTERS, 2);
  assertEquals(await list("b1"), false);
  assertEquals(await list("b1"), true);
  assertEquals(await list("b1", 0), false);
  assertEquals(await list("b1", 0), true);
  assertEquals(await list("b2"), false);
  assertEquals(await list("b1", 0), true);
  assertEquals(await list("b1"), false);
});

test("users who see all plants share the list", async () => {
  const list = createLister(LETTERS, 2);
  assertEquals(await list("all1"), false);
  assertEquals(await list("all2"), true);
  assertEquals(await list("all2", 3), true);
  assertEquals(await list("all2", 2), false);
  assertEquals(await list("all1", 2), false);
});

test("a snapshot keeps the lists of thousands of users, but not of all", async () => {
  const list = createLister(LETTERS, 16_000);
  for (let at = 1; at <= 10_000; at++) await list(`b${at}`);
  assertEquals(await list("b1"), true);
  for (let at = 10_001; at <= 16_000; at++) await list(`b${at}`);
  assertEquals(await list("b1"), false);
});

test("a snapshot drops all lists but the shared one at 16 MB", async () => {
  const plants = [{ name: "a".repeat(899_000) }, { name: "b" }];
  const USERS = 40;
  const list = createLister(plants, USERS);
  await list("all1");
  for (let at = 1; at <= USERS; at++) await list(`all${at}`, 1);
  assert(await list("all1"));
  let kept = 0;
  for (let at = USERS; at > 0; at--) {
    if (await list(`all${at}`, 1)) kept++;
    else break;
  }
  assert(kept >= 1 && kept <= 17, `${kept} lists were kept`);
});

test("a snapshot never compares tokens, so its response time reveals nothing about them", async () => {
  const looked: string[] = [];
  // Anything but a lookup of the whole key throws.
  const map = (size: number) =>
    ({
      size,
      get: (key: string) => void looked.push(key),
    }) as unknown as ReadonlyMap<string, Credential>;
  const digest = createHash("sha256").update("a token").digest("hex");
  for (const digests of [0, 1]) {
    const snapshot = createSnapshot([], {
      tokens: map(1),
      digests: map(digests),
    });
    assertEquals(await snapshot.authenticate("a token"), undefined);
  }
  assertEquals(looked, ["a token", "a token", digest]);
});
