import process from "node:process";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { until } from "../../support/until.ts";
import { createDatabaseFor, list, openStoreFor, query } from "./database.ts";

test("a role that can only select is sufficient for serving", async (t) => {
  const database = await createDatabaseFor(t, [{ name: "a" }]);
  const url = new URL(database.url);
  const role = `reader_${url.pathname.slice(1)}`;
  await query(database.url, (sql) =>
    sql.unsafe(`
      create role ${role} login password 'reader';
      grant usage on schema plant_store to ${role};
      grant select on all tables in schema plant_store to ${role};
    `));
  t.after(() =>
    query(
      process.env["DATABASE_URL"]!,
      (sql) => sql.unsafe(`drop role ${role}`),
    )
  );

  [url.username, url.password] = [role, "reader"];
  const store = await openStoreFor(t, { url: url.href });
  await store.ready();
  assertEquals(await list(store), '[{"name":"a"}]');
  await database.fill([{ name: "b" }]);
  await until(async () => await list(store) === '[{"name":"b"}]');
});
