import { test } from "node:test";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Plant, StoreUnavailableError } from "../../../mod.ts";
import { PROGRAM } from "../../../src/stores/catalog/program.ts";
import { createDatabase, list, openStoreFor } from "./database.ts";
import { query } from "./server.ts";

const PLANTS: readonly Plant[] = Array.from(
  { length: 5_000 },
  (_, index) => ({ name: `Plant ${index}` }),
);

test("a long list can take longer than a query", async (t) => {
  const url = await createDatabase(PLANTS);
  const store = await openStoreFor(t, { url });
  await query(
    url,
    `alter table plant_store.plants rename to fast_plants;
    create view plant_store.plants as
    select fast_plants.* from plant_store.fast_plants, pg_sleep(0.25)`,
  );
  const start = performance.now();
  assert(await list(store) === JSON.stringify(PLANTS));
  assert(performance.now() - start > 1_250);
});

test("a list fails if imports keep replacing the plants", async (t) => {
  const url = await createDatabase(PLANTS);
  const store = await openStoreFor(t, { url });
  await query(
    url,
    `drop table plant_store.current_import;
    create view plant_store.current_import as
    select gen_random_uuid() as id`,
  );
  await assertRejects(() => list(store), StoreUnavailableError, "replaced");
});

for (
  const [kind, fail] of [
    ["throw", () => {
      throw new Error("callback");
    }],
    ["reject", () => Promise.reject(new Error("callback"))],
  ] as const
) {
  test(`callbacks that ${kind} do not affect requests`, async (t) => {
    const url = await createDatabase([{ name: "a" }]);
    const calls: string[] = [];
    const log = t.mock.method(console, "error", () => {});
    const store = await openStoreFor(t, {
      url,
      onOutage({ message }) {
        calls.push(message);
        return fail();
      },
      onRecovery() {
        calls.push("recovered");
        return fail();
      },
    });
    const rename = (from: string, to: string) =>
      query(url, `alter table plant_store.${from} rename to ${to}`);
    await rename("users", "lost");
    for (let count = 0; count < 2; count++) {
      await assertRejects(() => store.ready(), StoreUnavailableError);
      await assertRejects(() => list(store), StoreUnavailableError);
    }
    await rename("lost", "users");
    assertEquals(await list(store), '[{"name":"a"}]');
    assertEquals(calls, [
      `the database is empty; to fill it, run: ${PROGRAM} import`,
      "recovered",
    ]);
    const logged = log.mock.calls.map(({ arguments: [error] }) => `${error}`);
    assertEquals(logged, ["Error: callback", "Error: callback"]);
  });
}

test("a store that is closed rejects requests and reports nothing", async (t) => {
  const url = await createDatabase([{ name: "a" }]);
  const calls: Error[] = [];
  const store = await openStoreFor(t, {
    url,
    onOutage: (cause) => calls.push(cause),
  });
  await list(store);
  await Promise.all([store.close(), store.close()]);
  await assertRejects(() => list(store), StoreUnavailableError);
  assertEquals(calls, []);
});
