import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { createMemoryStore } from "../../mod.ts";

// Lists are kept, so that the handler repeats its response, but not without limit.

const USERS = Array.from({ length: 40 }, (_, at) => `user${at}`);

/** Returns a function that lists the plants of a user, who can see all or one of them. */
function createLister(name: string) {
  const one = { plants: { names: [name] } }, all = { plants: "all" } as const;
  const store = createMemoryStore({
    plants: [{ name: "a" }, { name }],
    users: {
      all1: { ...all, tokens: ["all1"] },
      all2: { ...all, tokens: ["all2"] },
      ...Object.fromEntries(
        USERS.map((user) => [user, { ...one, tokens: [user] }]),
      ),
    },
  });
  return async (token: string, limit?: number) =>
    (await store.authenticate(token))!.list(limit);
}

test("users who see all plants share one frozen list", async () => {
  const list = createLister("b");
  const all = await list("all1");
  assert(Object.isFrozen(all));
  assert(await list("all2", 2) === all);
  assertEquals(await list("all2", 1), [{ name: "a" }]);
});

test("the last list of a user is kept, and frozen when it is requested again", async () => {
  const list = createLister("b");
  const first = await list("user0");
  assertEquals(Object.isFrozen(first), false);
  assert(await list("user0") === first && Object.isFrozen(first));
  assertEquals(await list("user0", 0), []);
  assert(await list("user0") !== first);
});

test("all lists are dropped if they take 16 MB", async () => {
  const list = createLister("b".repeat(900_000));
  const first = await list("user0");
  for (const user of USERS.slice(1, 10)) await list(user);
  assert(await list("user0") === first);
  for (const user of USERS) await list(user);
  assert(await list("user0") !== first);
});
