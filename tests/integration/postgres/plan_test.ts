import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import type { Access, EncodedList, Plant } from "../../../mod.ts";
import { openPostgresStore } from "../../../src/stores/postgres.ts";
import { SESSION_SETTINGS } from "../../../src/stores/postgres/pool.ts";
import {
  findPlants,
  selectPlants,
} from "../../../src/stores/postgres/queries.ts";
import { digest } from "../../contract/stores.ts";
import { createDatabase } from "./database.ts";

const SIZE = 100_000;

// The rare ones come last, where a walk along the catalogue finds them last.
const PLANTS: readonly Plant[] = Array.from({ length: SIZE }, (_, at) => ({
  name: at % 2 === 0 ? "common" : `name ${at}`,
  tag: at < SIZE - 30 ? "tag 1" : "rare",
}));

/** What makes a planner take another way: values that it knows, and a memory too small for the table. */
const SETTINGS = [
  "plan_cache_mode = force_generic_plan",
  "effective_cache_size = '64kB'",
  "random_page_cost = 40",
  "plan_cache_mode = force_custom_plan",
  "random_page_cost = 4",
  "effective_cache_size = '4GB'",
];

/** A step of a plan, as EXPLAIN gives it. */
interface Step {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly Step[];
}

/** How many plants the steps of a plan have touched. */
function countPlants(step: Step): number {
  const own = step["Relation Name"] === "plants"
    ? (step["Actual Rows"] + (step["Rows Removed by Filter"] ?? 0)) *
      step["Actual Loops"]
    : 0;
  return (step.Plans ?? []).reduce((sum, each) => sum + countPlants(each), own);
}

test("a list of 20 touches as few plants in a large catalogue as in a small one", async (t) => {
  const database = await createDatabase();
  t.after(() => database.remove());
  await database.fill(PLANTS, {});
  const client = await database.connect();
  t.after(() => client.destroy());
  const { sql } = client;
  // They lie anywhere, as after many imports: a walk along an index seems dear.
  await sql.unsafe(`
    create temporary table shuffled as select * from plant_store.plants;
    truncate plant_store.plants;
    insert into plant_store.plants select * from shuffled order by md5(json);
    analyze plant_store.plants;
  `);
  await sql.unsafe(SESSION_SETTINGS);
  for (
    const [access, keys] of [
      ["all", 1],
      [{ tags: ["tag 1"] }, 1],
      [{ tags: ["rare"] }, 1],
      [{ tags: ["nowhere"] }, 1],
      [{ tags: ["tag 1", "rare", "tag 2", "nowhere"] }, 4],
      [{ names: ["common"] }, 1],
      [{ names: [`name ${SIZE - 1}`, "nobody"] }, 2],
      [{ tags: ["tag 1", "rare"], names: ["common", "name 1"] }, 4],
    ] as readonly (readonly [Access, number])[]
  ) {
    await t.test(JSON.stringify(access), async () => {
      const query = { access, limit: 20, after: -1 };
      const { string } = await selectPlants(sql, query, 0).describe();
      const { tags = [], names = [] } = access === "all" ? {} : access;
      const values = access === "all"
        ? "0, 20, -1"
        : `0, 20, -1, ${quote(tags)}, ${quote(names)}`;
      for (const setting of SETTINGS) {
        await sql.unsafe(`set ${setting}`);
        // A plan that was made once would stay.
        await sql.unsafe(`prepare list as ${string}`);
        const [row] = await sql.unsafe<[{ "QUERY PLAN": [{ Plan: Step }] }]>(
          `explain (analyze, format json) execute list (${values})`,
        );
        const [{ Plan: plan }] = row["QUERY PLAN"];
        const touched = countPlants(plan);
        assert(touched <= 20 * keys, `${touched}: ${JSON.stringify(plan)}`);
        await sql.unsafe("deallocate list");
      }
    });
  }
});

test("a list is planned once, and not for each request", async (t) => {
  const database = await createDatabase();
  t.after(() => database.remove());
  await database.fill(PLANTS.slice(-1_000), {});
  const { sql, destroy } = await database.connect();
  t.after(destroy);
  await sql.unsafe(SESSION_SETTINGS);
  for (
    const access of ["all", { tags: ["rare"], names: ["common"] }] as const
  ) {
    for (let time = 0; time < 10; time++) {
      await findPlants(sql, { access, limit: 20, after: -1 });
    }
  }
  const plans = await sql`
    select custom_plans::integer, generic_plans::integer
    from pg_prepared_statements
    where statement like ${"%plant_store.plants%"}`;
  const once = { custom_plans: 0, generic_plans: 10 };
  assertEquals([...plans], [once, once]);
});

test("a list too long for one statement comes whole", async (t) => {
  const database = await createDatabase();
  t.after(() => database.remove());
  const access = { tags: ["tag 1", "rare"], names: ["common"] };
  await database.fill(PLANTS, {
    all: { plants: "all", tokens: [{ sha256: digest("all") }] },
    some: { plants: access, tokens: [{ sha256: digest("some") }] },
  });
  const store = await openPostgresStore({ url: database.url });
  t.after(() => store.close());
  const some = PLANTS.filter(({ name, tag }) =>
    access.tags.includes(tag!) || access.names.includes(name)
  );
  for (const [token, plants] of [["all", PLANTS], ["some", some]] as const) {
    for (const limit of [undefined, SIZE, 20_000, 40_000, 40_001]) {
      const view = await store.authenticate(token);
      const { body } = await view!.list(limit) as EncodedList;
      const text = new TextDecoder().decode(body as Uint8Array);
      assert(text === JSON.stringify(plants.slice(0, limit)), `${limit}`);
    }
  }
});

function quote(keys: readonly string[]): string {
  return `'${JSON.stringify(keys)}'`;
}
