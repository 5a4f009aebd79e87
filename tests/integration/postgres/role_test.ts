import process from "node:process";
import { test, type TestContext } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import { StoreUnavailableError } from "../../../mod.ts";
import { until } from "../../support/until.ts";
import { createDatabaseFor, list, openStoreFor, query } from "./database.ts";

const TABLES = ["current_import", "plants", "users", "tokens"];

/** Creates a database, and a role that can read some of its tables. */
async function createRole(t: TestContext, tables: readonly string[]) {
  const database = await createDatabaseFor(t, [{ name: "a" }]);
  const url = new URL(database.url);
  const role = `reader_${url.pathname.slice(1)}`;
  await query(database.url, (sql) =>
    sql.query(`
      create role ${role} login password 'reader';
      grant usage on schema plant_store to ${role};
      grant select on ${
      tables.map((table) => `plant_store.${table}`)
    } to ${role};
    `));
  t.after(() =>
    query(
      process.env["DATABASE_URL"]!,
      (sql) => sql.query(`drop role ${role}`),
    )
  );

  [url.username, url.password] = [role, "reader"];
  return { database, store: await openStoreFor(t, { url: url.href }) };
}

test("a role that can only select is sufficient for the server", async (t) => {
  const { database, store } = await createRole(t, TABLES);
  await store.ready();
  assertEquals(await list(store), '[{"name":"a"}]');
  await database.fill([{ name: "b" }]);
  await until(async () => await list(store) === '[{"name":"b"}]');
});

for (const table of TABLES) {
  test(`the store is not ready if the role cannot read the table ${table}`, async (t) => {
    const others = TABLES.filter((other) => other !== table);
    const { store } = await createRole(t, others);
    await assertRejects(() => store.ready(), StoreUnavailableError);
    await assertRejects(() => list(store), StoreUnavailableError);
  });
}
