import { test } from "node:test";
import { assert } from "@std/assert";
import pg from "pg";
import type { Access, Plant } from "../../../mod.ts";
import { findPlants, SETTINGS } from "../../../src/stores/postgres/queries.ts";
import { digest } from "../../contract/stores.ts";
import { createDatabase, list, openStoreFor } from "./database.ts";
import { query } from "./server.ts";

const SIZE = 20_000;

// The rare plants are last, where a scan in catalog order finds them last.
const PLANTS: readonly Plant[] = Array.from({ length: SIZE }, (_, index) => ({
  name: index % 2 === 0 ? "common" : `name ${index}`,
  tag: index < SIZE - 30 ? "tag 1" : "rare",
}));

/** Costs that make the planner prefer other plans. */
const COSTS = [
  "",
  "set effective_cache_size = '64kB'; set random_page_cost = 40",
  "set effective_cache_size = '4GB'; set random_page_cost = 1",
];

const KEYS = { tags: ["tag 1", "rare"], names: ["common"] };
const url = await createDatabase(PLANTS, {
  all: { plants: "all", tokens: [{ sha256: digest("all") }] },
  some: { plants: KEYS, tokens: [{ sha256: digest("some") }] },
});

const ACCESSES: readonly (readonly [Access, number])[] = [
  ["all", 1],
  [{ tags: ["tag 1"] }, 1],
  [{ tags: ["rare"] }, 1],
  [{ tags: ["nowhere"] }, 1],
  [{ names: ["common"] }, 1],
  [{ names: [`name ${SIZE - 1}`, "unknown"] }, 2],
  [{ tags: ["tag 1", "rare"], names: ["common", "name 1"] }, 4],
];

/** Counts the plants that this transaction has read from the table or an index. */
const COUNT = `
  with indexes as (
    select indexrelid from pg_index where indrelid = 'plant_store.plants'::regclass)
  select sum(pg_stat_get_xact_tuples_returned(oid))::integer as count
  from pg_class
  where oid = 'plant_store.plants'::regclass or oid in (table indexes)`;

test("a list of 20 plants reads at most 20 plants for each key", async (t) => {
  // A random order, as after many imports, makes index scans seem expensive.
  await query(
    url,
    `create temporary table shuffled as select * from plant_store.plants;
    truncate plant_store.plants;
    insert into plant_store.plants
    select * from shuffled order by md5(position::text);
    analyze plant_store.plants`,
  );
  const [row] = await query(url, "select id from plant_store.current_import");
  for (const mode of ["force_generic_plan", "force_custom_plan"]) {
    for (const costs of COSTS) {
      const pool = new pg.Pool({ connectionString: url, max: 1 });
      t.after(() => pool.end());
      await pool.query(`${SETTINGS}; set plan_cache_mode = ${mode}; ${costs}`);
      for (const [access, keys] of ACCESSES) {
        await pool.query("begin");
        const before = (await pool.query(COUNT)).rows[0].count;
        await findPlants(
          pool,
          { importId: row!["id"], access, limit: 20, after: -1 },
        );
        const count = (await pool.query(COUNT)).rows[0].count - before;
        await pool.query("commit");
        assert(count > 0 || access !== "all", "the count is wrong");
        const name = `${JSON.stringify(access)} with ${mode} and "${costs}"`;
        // The planner can read the first and the last plant, too.
        assert(count <= 20 * keys + 2, `${count} for ${name}`);
      }
    }
  }
});

test("a list that takes several queries is complete", async (t) => {
  const store = await openStoreFor(t, { url });
  const some = PLANTS.filter(({ name, tag }) =>
    KEYS.tags.includes(tag!) || KEYS.names.includes(name)
  );
  for (const [token, plants] of [["all", PLANTS], ["some", some]] as const) {
    for (const limit of [undefined, SIZE, 2_000, 2_001]) {
      const text = await list(store, token, limit);
      assert(text === JSON.stringify(plants.slice(0, limit)), `${limit}`);
    }
  }
});
