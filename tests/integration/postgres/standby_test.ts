import { test, type TestContext } from "node:test";
import { assertEquals } from "@std/assert";
import type { PostgresStore } from "../../../src/stores/postgres.ts";
import { digest } from "../../contract/stores.ts";
import { until } from "../../support/until.ts";
import {
  createDatabaseFor,
  type Database,
  decode,
  list,
  openStoreFor,
} from "./database.ts";

// A second database takes the place of the standby, so that its lists differ.

const TOKENS = [{ sha256: digest("token") }];
const USERS = { curator: { plants: "all", tokens: TOKENS } } as const;

async function create(t: TestContext, name: string): Promise<Database> {
  const database = await createDatabaseFor(t);
  await database.fill([{ name }], USERS);
  return database;
}

/** Waits for a plant; the store avoids a standby for a while after a timeout. */
function untilListed(store: PostgresStore, name: string): Promise<void> {
  return until(async () => await list(store) === `[{"name":"${name}"}]`);
}

test("lists come from a standby that has the same import", async (t) => {
  const primary = await create(t, "primary");
  const standby = await create(t, "standby");
  const { url } = primary;
  const store = await openStoreFor(t, { url, readUrl: standby.url });
  await untilListed(store, "standby");

  await primary.fill([{ name: "newer" }], USERS);
  await untilListed(store, "newer");
  await standby.fill([{ name: "caught up" }], USERS);
  await untilListed(store, "caught up");
});

test("only the primary authenticates tokens", async (t) => {
  const primary = await create(t, "primary");
  const standby = await create(t, "standby");
  const { url } = primary;
  const store = await openStoreFor(t, { url, readUrl: standby.url });
  await primary.fill([], {});
  assertEquals(await store.authenticate("token"), undefined);
});

test("lists come from the primary while the standby is unavailable", async (t) => {
  const { url } = await create(t, "primary");
  const readUrl = "postgres://u@127.0.0.1:1/d";
  const store = await openStoreFor(t, { url, readUrl });
  assertEquals(await list(store), '[{"name":"primary"}]');
  await store.ready();
});

test("a viewer from before an import lists only plants of the new import", async (t) => {
  const primary = await create(t, "before");
  const store = await openStoreFor(t, { url: primary.url });
  const viewer = await store.authenticate("token");
  await primary.fill([{ name: "a", tag: "x" }, { name: "b" }], {
    curator: { plants: { tags: ["x"] }, tokens: TOKENS },
  });
  assertEquals(decode(await viewer!.list()), '[{"name":"a","tag":"x"}]');
});
