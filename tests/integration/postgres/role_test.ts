import process from "node:process";
import { test } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import postgres from "postgres";
import { digest } from "../../contract/stores.ts";
import { until } from "../../support/until.ts";
import { createDatabaseFor, list, openStoreFor } from "./database.ts";

const USERS = {
  curator: { plants: "all", tokens: [{ sha256: digest("token") }] },
} as const;

test("a role that can only select is sufficient for serving", async (t) => {
  const database = await createDatabaseFor(t);
  await database.fill([{ name: "a" }], USERS);
  const url = new URL(database.url);
  const role = `reader_${url.pathname.slice(1)}`;
  const { sql: owner, destroy } = await database.connect();
  await owner.unsafe(`
    create role ${role} login password 'reader';
    grant usage on schema plant_store to ${role};
    grant select on all tables in schema plant_store to ${role};
  `);
  destroy();
  t.after(async () => {
    const admin = postgres(process.env["DATABASE_URL"]!, { max: 1 });
    await admin.unsafe(`drop role ${role}`);
    await admin.end();
  });

  [url.username, url.password] = [role, "reader"];
  const reader = postgres(url.href, { max: 1 });
  for (const table of ["content", "plants", "users", "tokens"]) {
    await assertRejects(
      async () => await reader.unsafe(`delete from plant_store.${table}`),
      Error,
      "permission denied",
    );
  }
  await reader.end();

  const store = await openStoreFor(t, { url: url.href });
  await store.ready();
  assertEquals(await list(store), '[{"name":"a"}]');
  await database.fill([{ name: "b" }], USERS);
  await until(async () => await list(store) === '[{"name":"b"}]');
});
