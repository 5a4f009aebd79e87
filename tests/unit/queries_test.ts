import { test } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import type { Sql } from "../../src/stores/postgres/client.ts";
import { findPlants, findUser } from "../../src/stores/postgres/queries.ts";

/** Returns a client whose results are empty and have the right or a wrong mark. */
function respond(wrong: 0 | 1): Sql {
  const sql = (_: unknown, mark: number) => {
    const found = { mark: mark + wrong, user: null };
    const row = Object.assign([found.mark, "1", null, "0", null], found);
    return Object.assign(Promise.resolve([row]), {
      raw: () => Promise.resolve([row]),
    });
  };
  const unsafe = (text: string, [mark]: [number]) => sql(text, mark);
  return Object.assign(sql, { unsafe }) as unknown as Sql;
}

test("findPlants() and findUser() reject the result of another statement", async () => {
  const query = { limit: 20, after: -1 };
  const all = { ...query, access: "all" } as const;
  const { count } = await findPlants(respond(0), all);
  assertEquals(count, 0);
  assertEquals(await findUser(respond(0), ""), undefined);
  for (
    const find of [
      () => findPlants(respond(1), all),
      () => findPlants(respond(1), { ...query, access: { tags: ["x"] } }),
      () => findUser(respond(1), ""),
    ]
  ) await assertRejects(find, Error, "another statement");
});
