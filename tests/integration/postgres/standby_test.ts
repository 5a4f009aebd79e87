import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { digest } from "../../contract/stores.ts";
import { until } from "../../support/until.ts";
import {
  createDatabaseFor,
  type Database,
  list,
  openStoreFor,
  query,
} from "./database.ts";

// A second database takes the place of the standby, so that its lists differ.

/** Makes the imports of two databases look like the same one. */
async function copyImportId(from: Database, to: Database): Promise<void> {
  const { rows: [row] } = await query(
    from.url,
    (sql) => sql.query("select id from plant_store.current_import"),
  );
  const update = "update plant_store.current_import set id = $1";
  await query(to.url, (sql) => sql.query(update, [row.id]));
}

test("lists come from a standby that has the same import", async (t) => {
  const primary = await createDatabaseFor(t, [{ name: "primary" }]);
  const standby = await createDatabaseFor(t, [{ name: "standby" }]);
  const { url } = primary;
  const store = await openStoreFor(t, { url, readUrl: standby.url });
  // The store avoids a standby for a while after a timeout.
  const untilListed = (name: string) =>
    until(async () => await list(store) === `[{"name":"${name}"}]`);
  // The same number of imports is not the same import.
  assertEquals(await list(store), '[{"name":"primary"}]');
  await copyImportId(primary, standby);
  await untilListed("standby");
  await primary.fill([{ name: "newer" }]);
  await untilListed("newer");
  await standby.fill([{ name: "caught up" }]);
  await copyImportId(primary, standby);
  await untilListed("caught up");

  await primary.fill([], {});
  await until(async () => await store.authenticate("token") === undefined);
});

test("a viewer from before an import lists only plants of the new import", async (t) => {
  const database = await createDatabaseFor(t, [{ name: "before" }]);
  const store = await openStoreFor(t, { url: database.url });
  const viewer = await store.authenticate("token");
  await database.fill([{ name: "a", tag: "x" }, { name: "b" }], {
    curator: {
      plants: { tags: ["x"] },
      tokens: [{ sha256: digest("token") }],
    },
  });
  const authenticate = () => Promise.resolve(viewer);
  const text = await list({ ...store, authenticate });
  assertEquals(text, '[{"name":"a","tag":"x"}]');
});
