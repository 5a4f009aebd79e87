import { test, type TestContext } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import { StoreUnavailableError } from "../../../mod.ts";
import { until } from "../../support/until.ts";
import { createDatabase, list, openStoreFor } from "./database.ts";
import { fill, query } from "./server.ts";

const TABLES = ["current_import", "plants", "users", "tokens"];

/** Creates a database, and opens it with a role that can read some of its tables. */
async function openAsRole(t: TestContext, tables: readonly string[]) {
  const database = await createDatabase([{ name: "a" }]);
  const url = new URL(database);
  const role = `reader_${url.pathname.slice(1)}`;
  const readable = tables.map((table) => `plant_store.${table}`);
  await query(
    database,
    `create role ${role} login password 'reader';
    grant usage on schema plant_store to ${role};
    grant select on ${readable} to ${role}`,
  );
  [url.username, url.password] = [role, "reader"];
  return { database, store: await openStoreFor(t, { url: url.href }) };
}

test("a role that can only select is sufficient for the server", async (t) => {
  const { database, store } = await openAsRole(t, TABLES);
  await store.ready();
  assertEquals(await list(store), '[{"name":"a"}]');
  await fill(database, [{ name: "b" }]);
  await until(async () => await list(store) === '[{"name":"b"}]');
});

for (const table of TABLES) {
  test(`the store is not ready if the role cannot read the table ${table}`, async (t) => {
    const others = TABLES.filter((other) => other !== table);
    const { store } = await openAsRole(t, others);
    await assertRejects(() => store.ready(), StoreUnavailableError);
    await assertRejects(() => list(store), StoreUnavailableError);
  });
}
