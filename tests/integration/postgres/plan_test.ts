import { test } from "node:test";
import { assert } from "@std/assert";
import type { Access, Plant } from "../../../mod.ts";
import {
  selectPlants,
  SETTINGS as STORE_SETTINGS,
} from "../../../src/stores/postgres/queries.ts";
import { digest } from "../../contract/stores.ts";
import { createDatabase, list, openStoreFor } from "./database.ts";
import { connect } from "./server.ts";

const SIZE = 20_000;

// The rare plants are last, where a scan in catalog order finds them last.
const PLANTS: readonly Plant[] = Array.from({ length: SIZE }, (_, index) => ({
  name: index % 2 === 0 ? "common" : `name ${index}`,
  tag: index < SIZE - 30 ? "tag 1" : "rare",
}));

/** Settings that make the planner prefer other plans. */
const SETTINGS = [
  "plan_cache_mode = force_generic_plan",
  "effective_cache_size = '64kB'",
  "random_page_cost = 40",
  "plan_cache_mode = force_custom_plan",
  "random_page_cost = 4",
  "effective_cache_size = '4GB'",
];

/** A step of a plan in the output of EXPLAIN. */
interface Step {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly Step[];
}

/** Returns how many plants a step and its children read. */
function countPlants(step: Step): number {
  const removed = step["Rows Removed by Filter"] ?? 0;
  const own = step["Relation Name"] === "plants"
    ? (step["Actual Rows"] + removed) * step["Actual Loops"]
    : 0;
  return (step.Plans ?? []).reduce((sum, each) => sum + countPlants(each), own);
}

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

test("a list of 20 plants reads at most 20 plants for each key", async () => {
  await connect(url, async (sql) => {
    // A random order, as after many imports, makes index scans seem expensive.
    await sql.query(`
      create temporary table shuffled as select * from plant_store.plants;
      truncate plant_store.plants;
      insert into plant_store.plants
      select * from shuffled order by md5(position::text);
      analyze plant_store.plants;
    `);
    await sql.query(STORE_SETTINGS);
    const { rows: [{ id: importId }] } = await sql.query(
      "select id from plant_store.current_import",
    );
    for (const [access, keys] of ACCESSES) {
      const { text, values } = selectPlants(
        { importId, access, limit: 20, after: -1 },
      );
      const literals = values.map((value) =>
        Array.isArray(value)
          ? `array[${value.map((key) => `'${key}'`)}]::text[]`
          : `'${value}'`
      );
      for (const setting of SETTINGS) {
        await sql.query(`set ${setting}`);
        await sql.query(`prepare list as ${text}`);
        const { rows: [row] } = await sql.query(
          `explain (analyze, format json) execute list (${literals})`,
        );
        const [{ Plan: plan }] = row["QUERY PLAN"];
        const count = countPlants(plan);
        assert(
          count > 0 || access !== "all",
          "the plan does not read the table",
        );
        assert(count <= 20 * keys, `${count} for ${literals} with ${setting}`);
        await sql.query("deallocate list"); // it would keep its plan
      }
    }
  });
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
