import { after, test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type Access,
  createHandler,
  createMemoryStore,
  type Plant,
} from "../../../mod.ts";
import { openPostgresStore } from "../../../src/stores/postgres.ts";
import { digest } from "../../contract/stores.ts";
import { nameText } from "../../support/text.ts";
import { createDatabase } from "./database.ts";

// Few names, so that they repeat, and such as SQL, JSON or encodings trip over.
const word = fc.oneof(
  fc.constantFrom(
    "a",
    "A",
    "a ",
    "'; drop table plant_store.plants; --",
    "$1",
  ),
  nameText,
);
const plant: fc.Arbitrary<Plant> = fc.oneof(
  fc.record({ name: word }),
  fc.record({ name: word, tag: word }),
);
const access: fc.Arbitrary<Access> = fc.oneof(
  { weight: 1, arbitrary: fc.constant("all" as const) },
  {
    weight: 6,
    arbitrary: fc.record({
      tags: fc.array(word, { maxLength: 5 }),
      names: fc.array(word, { maxLength: 5 }),
    }, { requiredKeys: [] }),
  },
);

test("the PostgreSQL store answers byte for byte as the memory store does", async () => {
  const database = await createDatabase();
  after(() => database.remove());
  await database.fill([], {});
  const store = await openPostgresStore({ url: database.url });
  after(() => store.close());
  const handler = createHandler(store);

  await fc.assert(
    fc.asyncProperty(
      fc.array(plant, { maxLength: 30 }),
      fc.array(fc.record({ name: word, access }), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.array(
        fc.record({
          user: fc.nat(3),
          limit: fc.option(fc.nat(32), { nil: undefined }),
          known: fc.boolean(),
        }),
        { minLength: 1, maxLength: 8 },
      ),
      async (plants, users, questions) => {
        const named = users.map(({ name, access }, index) => ({
          name: `${name}${index}`,
          access,
          token: `token${index}`,
        }));
        const expected = createHandler(createMemoryStore({
          plants,
          users: Object.fromEntries(named.map(({ name, access, token }) => [
            name,
            { plants: access, tokens: [token] },
          ])),
        }));
        await database.fill(
          plants,
          Object.fromEntries(named.map(({ name, access, token }) => [
            name,
            { plants: access, tokens: [{ sha256: digest(token) }] },
          ])),
        );
        for (const { user, limit, known } of questions) {
          const { token } = named[user % named.length]!;
          const query = limit === undefined ? "" : `?limit=${limit}`;
          const ask = (tag?: string) =>
            new Request(`http://localhost/plants${query}`, {
              headers: {
                authorization: `Bearer ${token}`,
                ...tag && { "if-none-match": tag },
              },
            });
          const wanted = await expected(ask());
          const tag = known ? wanted.headers.get("etag")! : undefined;
          const again = known ? await expected(ask(tag)) : wanted;
          const given = await handler(ask(tag));
          assertEquals(given.status, again.status);
          assertEquals([...given.headers], [...again.headers]);
          assertEquals(
            new Uint8Array(await given.arrayBuffer()),
            new Uint8Array(await again.arrayBuffer()),
          );
        }
      },
    ),
    { numRuns: 150 },
  );
});
