import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import type { Access } from "../../src/domain/access.ts";
import {
  ENCODE,
  type EncodedList,
  type EncodingViewer,
} from "../../src/domain/encoded_list.ts";
import {
  createSnapshot,
  type Credential,
} from "../../src/stores/catalog/snapshot.ts";

const LETTERS = [{ name: "a" }, { name: "b" }, { name: "c" }];

/**
 * Creates a snapshot in which `b1`, `b2`, and so on can see plant `b`, and
 * `all1`, `all2`, and so on can see all plants.
 */
function createCounted(plants: readonly { name: string }[], users = 1) {
  const credentials = new Map<string, { user: string; access: Access }>();
  for (let at = 1; at <= users; at++) {
    credentials.set(`key of all${at}`, { user: "all", access: "all" });
    const access = { names: ["b"] };
    credentials.set(`key of b${at}`, { user: "b", access });
  }
  let count = 0;
  const snapshot = createSnapshot(plants, credentials, (token) => {
    count++;
    return `key of ${token}`;
  });
  const seen = new Set<EncodedList>();
  /** Lists plants. Returns the number of tokens that were looked up and lists that were encoded. */
  return async (token: string, limit?: number): Promise<number> => {
    count = 0;
    const viewer = snapshot.authenticate(token) as EncodingViewer;
    const list = await viewer.list[ENCODE](limit);
    if (!seen.has(list)) count++;
    seen.add(list);
    const { body } = list;
    const text = typeof body === "string"
      ? body
      : new TextDecoder().decode(body);
    assertEquals(JSON.parse(text), await viewer.list(limit));
    return count;
  };
}

test("a snapshot keeps the viewer and the last list of each token", async () => {
  const list = createCounted(LETTERS);
  assertEquals(await list("b1"), 2);
  assertEquals(await list("b1"), 0);
  assertEquals(await list("b1", 1), 1);
  assertEquals(await list("b1", 1), 0);
  assertEquals(await list("b1"), 1);
});

test("a snapshot keeps the lists of others if a user changes the limit", async () => {
  const plants = [{ name: "a".repeat(800_000) }, { name: "b" }, { name: "c" }];
  const list = createCounted(plants, 2);
  await list("all1", 1);
  for (let round = 0; round < 40; round++) await list("all2", 1 + round % 2);
  assertEquals(await list("all1", 1), 0);
});

test("a snapshot encodes the list of all plants once", async () => {
  const list = createCounted(LETTERS, 2);
  assertEquals(await list("all1"), 2);
  assertEquals(await list("all2"), 1);
  assertEquals(await list("all2", 3), 0);
  assertEquals(await list("all2", 2), 1);
  assertEquals(await list("all2"), 0);
});

test("a snapshot caches no other list over 1 MB", async () => {
  const list = createCounted([{ name: "a".repeat(1_000_000) }, { name: "b" }]);
  await list("all1", 1);
  assertEquals(await list("all1", 1), 1);
  await list("all1", 2);
  assertEquals(await list("all1", 2), 0);
});

test("a snapshot empties its cache at 16 MB", async () => {
  const plants = [{ name: "a".repeat(899_000) }, { name: "b" }];
  const USERS = 40;
  const list = createCounted(plants, USERS);
  for (let at = 1; at <= USERS; at++) await list(`all${at}`, 1);
  let kept = 0;
  for (let at = USERS; at > 0; at--) {
    if (await list(`all${at}`, 1) === 0) kept++;
    else break;
  }
  assert(kept >= 1 && kept <= 17, `${kept} lists were kept`);
});

test("a snapshot never compares tokens, so its response time reveals nothing about them", () => {
  const looked: string[] = [];
  // Anything but a lookup of the whole key throws.
  const credentials = {
    get: (key: string) => void looked.push(key),
  } as unknown as ReadonlyMap<string, Credential>;
  const keyOf = (token: string) => `key of ${token}`;
  const snapshot = createSnapshot([], credentials, keyOf);
  assertEquals(snapshot.authenticate("a token"), undefined);
  assertEquals(looked, ["key of a token"]);
});
