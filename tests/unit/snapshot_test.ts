import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { createMemoryStore } from "../../mod.ts";

// Lists are kept, so that the handler repeats its response, but not without limit.

const USERS = Array.from({ length: 40 }, (_, at) => `user${at}`);

test("the last list of each user is kept until all take 16 MB", async () => {
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

  const first = await list("user0");
  assert(!Object.isFrozen(first));
  for (const user of USERS.slice(1, 10)) await list(user);
  assert(await list("user0") === first && Object.isFrozen(first));
  assertEquals(await list("user1", 0), []);
  for (const user of USERS) await list(user);
  assert(await list("user0") !== first);
});
