import { test } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import { findPlants } from "../../src/stores/postgres/lists.ts";
import type { Sql } from "../../src/stores/postgres/schema.ts";
import { findUser } from "../../src/stores/postgres/users.ts";

/** A connection that answers every question with nothing, and with a mark that is right or wrong. */
function answer(wrong: 0 | 1): Sql {
  return ((_: unknown, mark: number) => {
    const found = { mark: mark + wrong, name: null };
    const row = Object.assign([found.mark, "1", null, "0", null], found);
    return Object.assign(Promise.resolve([row]), {
      raw: () => Promise.resolve([row]),
    });
  }) as unknown as Sql;
}

test("findPlants() and findUser() take no answer to another question", async () => {
  const { count } = await findPlants(answer(0), "all", 20, -1);
  assertEquals(count, 0);
  assertEquals(await findUser(answer(0), ""), undefined);
  for (
    const find of [
      () => findPlants(answer(1), "all", 20, -1),
      () => findPlants(answer(1), { tags: ["x"] }, 20, -1),
      () => findUser(answer(1), ""),
    ]
  ) await assertRejects(find, Error, "another question");
});
