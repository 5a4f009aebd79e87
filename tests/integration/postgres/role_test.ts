import { randomBytes } from "node:crypto";
import process from "node:process";
import { test } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import postgres from "postgres";
import type { EncodedList } from "../../../mod.ts";
import { openPostgresStore } from "../../../src/stores/postgres.ts";
import { digest } from "../../contract/stores.ts";
import { createDatabase } from "./database.ts";

const USERS = {
  curator: { plants: "all", tokens: [{ sha256: digest("token") }] },
} as const;

test("a role that may only read is enough to serve", async (t) => {
  const database = await createDatabase();
  const role = `reader_${randomBytes(8).toString("hex")}`;
  const admin = postgres(process.env["DATABASE_URL"]!, { max: 1 });
  t.after(async () => {
    await database.remove();
    await admin.unsafe(`drop role if exists ${role}`);
    await admin.end();
  });
  await database.fill([{ name: "a" }], USERS);
  const owner = postgres(database.url, { max: 1 });
  await owner.unsafe(`
    create role ${role} login password 'reader';
    grant usage on schema plant_store to ${role};
    grant select on all tables in schema plant_store to ${role};
  `);
  await owner.end();

  const url = new URL(database.url);
  [url.username, url.password] = [role, "reader"];
  const reader = postgres(url.href, { max: 1 });
  t.after(() => reader.end());
  for (const table of ["content", "plants", "users", "tokens"]) {
    await assertRejects(
      async () => await reader.unsafe(`delete from plant_store.${table}`),
      Error,
      "permission denied",
    );
  }

  const store = await openPostgresStore({ url: url.href });
  t.after(() => store.close());
  await store.ready();
  const list = async () => {
    const { body } = await (await store.authenticate("token"))!
      .list() as EncodedList;
    return new TextDecoder().decode(body as Uint8Array);
  };
  assertEquals(await list(), '[{"name":"a"}]');
  await database.fill([{ name: "b" }], USERS);
  assertEquals(await list(), '[{"name":"b"}]');
});
