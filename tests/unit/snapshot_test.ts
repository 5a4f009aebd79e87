import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { createMemoryStore } from "../../mod.ts";

// Lists are kept, so that the handler repeats its response, but not without limit.

const USERS = Array.from({ length: 40 }, (_, at) => `user${at}`);

test("a list that is requested again is kept until all take 16 MB", async () => {
  const name = "b".repeat(900_000);
  const user = { plants: { names: [name] } };
  const store = createMemoryStore({
    plants: [{ name: "a" }, { name }],
    users: Object.fromEntries(
      USERS.map((token) => [token, { ...user, tokens: [token] }]),
    ),
  });
  const list = async (token: string, limit?: number) =>
    (await store.authenticate(token))!.list(limit);

  assert(!Object.isFrozen(await list("user0")));
  const kept = await list("user0");
  assert(Object.isFrozen(kept));
  for (const user of USERS.slice(1, 10)) await list(user);
  assertEquals(await list("user1", 0), []);
  assert(await list("user0") === kept);
  for (const user of [...USERS, ...USERS]) await list(user);
  assert(await list("user0") !== kept);
});
