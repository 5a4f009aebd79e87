import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type Access,
  createHandler,
  createMemoryStore,
  type Plant,
} from "../../../mod.ts";
import { digest } from "../../contract/stores.ts";
import { nameText } from "../../support/text.ts";
import { createDatabaseFor, openStoreFor } from "./database.ts";

// Few values, so that they repeat.
const word = fc.oneof(
  fc.constantFrom("a", "A", "a ", "'; drop table plant_store.plants; --", "$1"),
  nameText,
);
const plant: fc.Arbitrary<Plant> = fc.oneof(
  fc.record({ name: word }),
  fc.record({ name: word, tag: word }),
);
const words = fc.array(word, { maxLength: 5 });
const access: fc.Arbitrary<Access> = fc.oneof(
  { weight: 1, arbitrary: fc.constant("all" as const) },
  {
    weight: 6,
    arbitrary: fc.record({ tags: words, names: words }, { requiredKeys: [] }),
  },
);
const user = fc.record({ name: word, access });
const request = fc.record({
  index: fc.nat(3),
  limit: fc.option(fc.nat(32), { nil: undefined }),
  isConditional: fc.boolean(),
});

test("the PostgreSQL store and the memory store return the same bytes", async (t) => {
  const database = await createDatabaseFor(t);
  await database.fill([], {});
  const handler = createHandler(await openStoreFor(t, { url: database.url }));

  await fc.assert(
    fc.asyncProperty(
      fc.array(plant, { maxLength: 30 }),
      fc.array(user, { minLength: 1, maxLength: 4 }),
      fc.array(request, { minLength: 1, maxLength: 8 }),
      async (plants, users, requests) => {
        const create = <Token>(toToken: (token: string) => Token) =>
          Object.fromEntries(users.map(({ name, access }, index) => [
            `${name}${index}`,
            { plants: access, tokens: [toToken(`token${index}`)] },
          ]));
        const model = createHandler(
          createMemoryStore({ plants, users: create((token) => token) }),
        );
        await database.fill(
          plants,
          create((token) => ({ sha256: digest(token) })),
        );
        for (const { index, limit, isConditional } of requests) {
          const query = limit === undefined ? "" : `?limit=${limit}`;
          const headers = new Headers({
            authorization: `Bearer token${index % users.length}`,
          });
          const send = (to: typeof handler) =>
            to(new Request(`http://localhost/plants${query}`, { headers }));
          if (isConditional) {
            const first = await send(model);
            headers.set("if-none-match", first.headers.get("etag")!);
          }
          const [expected, found] = [await send(model), await send(handler)];
          assertEquals(found.status, expected.status);
          assertEquals([...found.headers], [...expected.headers]);
          assertEquals(
            new Uint8Array(await found.arrayBuffer()),
            new Uint8Array(await expected.arrayBuffer()),
          );
        }
      },
    ),
    { numRuns: 150 },
  );
});
