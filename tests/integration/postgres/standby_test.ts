import { test } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import { StoreUnavailableError } from "../../../mod.ts";
import { digest } from "../../contract/stores.ts";
import { until } from "../../support/until.ts";
import { createDatabase, list, openStoreFor } from "./database.ts";
import { fill, query } from "./server.ts";

// A second database takes the place of the standby, so that its lists differ.

/** Makes the imports of two databases look like the same one. */
async function copyImportId(from: string, to: string): Promise<void> {
  const [row] = await query(from, "select id from plant_store.current_import");
  const update = "update plant_store.current_import set id = $1";
  await query(to, update, [row!["id"]]);
}

test("lists come from a standby that has the same import", async (t) => {
  const primary = await createDatabase([{ name: "primary" }]);
  const standby = await createDatabase([{ name: "standby" }]);
  const store = await openStoreFor(t, { url: primary, readUrl: standby });
  // The store avoids a standby for a while after a timeout.
  const untilListed = (name: string) =>
    until(async () => await list(store) === `[{"name":"${name}"}]`);
  // The same number of imports is not the same import.
  assertEquals(await list(store), '[{"name":"primary"}]');
  await copyImportId(primary, standby);
  await untilListed("standby");
  await fill(primary, [{ name: "newer" }]);
  await untilListed("newer");
  await fill(standby, [{ name: "caught up" }]);
  await copyImportId(primary, standby);
  await untilListed("caught up");

  await fill(primary, [], {});
  await until(async () => await store.authenticate("token") === undefined);
  // The standby does not replace the primary, which checks tokens.
  await query(primary, "drop schema plant_store cascade");
  await assertRejects(() => store.ready(), StoreUnavailableError);
  await assertRejects(() => store.authenticate("new"), StoreUnavailableError);
});

test("a viewer from before an import lists only plants of the new import", async (t) => {
  const url = await createDatabase([{ name: "before" }]);
  const store = await openStoreFor(t, { url });
  const viewer = await store.authenticate("token");
  await fill(url, [{ name: "a", tag: "x" }, { name: "b" }], {
    curator: {
      plants: { tags: ["x"] },
      tokens: [{ sha256: digest("token") }],
    },
  });
  const authenticate = () => Promise.resolve(viewer);
  const text = await list({ ...store, authenticate });
  assertEquals(text, '[{"name":"a","tag":"x"}]');
});
