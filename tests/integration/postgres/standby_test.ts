import { test, type TestContext } from "node:test";
import { assertEquals } from "@std/assert";
import type { EncodedList } from "../../../mod.ts";
import {
  openPostgresStore,
  type PostgresStore,
} from "../../../src/stores/postgres.ts";
import { digest } from "../../contract/stores.ts";
import { until } from "../../support/until.ts";
import { createDatabase, type Database } from "./database.ts";

// Another database stands in for the standby, to tell who has answered.

const CURATOR = {
  plants: "all",
  tokens: [{ sha256: digest("token") }],
} as const;

async function create(t: TestContext, name: string): Promise<Database> {
  const database = await createDatabase();
  t.after(() => database.remove());
  await database.fill([{ name }], { curator: CURATOR });
  return database;
}

async function open(
  t: TestContext,
  url: string,
  readUrl: string,
): Promise<PostgresStore> {
  const store = await openPostgresStore({ url, readUrl });
  t.after(() => store.close());
  return store;
}

async function list(store: PostgresStore): Promise<string> {
  const view = await store.authenticate("token");
  const { body } = await view!.list() as EncodedList;
  return new TextDecoder().decode(body as Uint8Array);
}

/** Waits until the list has this plant; a standby that takes too long rests for a while. */
function untilListed(store: PostgresStore, name: string): Promise<void> {
  return until(async () => await list(store) === `[{"name":"${name}"}]`);
}

test("lists come from a standby that has the same import", async (t) => {
  const primary = await create(t, "primary");
  const standby = await create(t, "standby");
  const store = await open(t, primary.url, standby.url);
  await untilListed(store, "standby");

  // It lags behind, then it has caught up.
  await primary.fill([{ name: "newer" }], { curator: CURATOR });
  assertEquals(await list(store), '[{"name":"newer"}]');
  await standby.fill([{ name: "caught up" }], { curator: CURATOR });
  await untilListed(store, "caught up");
});

test("tokens are judged by the primary, not by a standby", async (t) => {
  const primary = await create(t, "primary");
  const standby = await create(t, "standby");
  const store = await open(t, primary.url, standby.url);
  await primary.fill([], {});
  assertEquals(await store.authenticate("token"), undefined);
});

test("lists come from the primary while the standby is away", async (t) => {
  const primary = await create(t, "primary");
  const store = await open(t, primary.url, "postgres://u@127.0.0.1:1/d");
  assertEquals(await list(store), '[{"name":"primary"}]');
  await store.ready();
});

test("a view that was taken before an import gives no list that mixes two", async (t) => {
  const primary = await create(t, "before");
  const store = await openPostgresStore({ url: primary.url });
  t.after(() => store.close());
  const view = await store.authenticate("token");
  await primary.fill([{ name: "a", tag: "x" }, { name: "b" }], {
    curator: { ...CURATOR, plants: { tags: ["x"] } },
  });
  const { body } = await view!.list() as EncodedList;
  assertEquals(
    new TextDecoder().decode(body as Uint8Array),
    '[{"name":"a","tag":"x"}]',
  );
});
