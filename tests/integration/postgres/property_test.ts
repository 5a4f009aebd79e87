import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "../../support/fast_check.ts";
import {
  type Access,
  createHandler,
  createMemoryStore,
  type Plant,
} from "../../../mod.ts";
import { digest } from "../../contract/stores.ts";
import { nameText } from "../../support/text.ts";
import { createDatabase, openStoreFor } from "./database.ts";
import { fill } from "./server.ts";

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
const some = fc.record({ tags: words, names: words }, { requiredKeys: [] });
const access: fc.Arbitrary<Access> = fc.oneof(
  fc.constant("all" as const),
  { weight: 6, arbitrary: some },
);
const user = fc.record({ name: word, access });
const request = fc.record({
  index: fc.nat(3),
  limit: fc.option(fc.nat(32), { nil: undefined }),
});

test("the PostgreSQL store and the memory store return the same bytes", async (t) => {
  const url = await createDatabase();
  const handler = createHandler(await openStoreFor(t, { url }));

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
        await fill(
          url,
          plants,
          create((token) => ({ sha256: digest(token) })),
        );
        for (const { index, limit } of requests) {
          const query = limit === undefined ? "" : `?limit=${limit}`;
          const authorization = `Bearer token${index % users.length}`;
          const send = async (to: typeof handler) => {
            const url = `http://localhost/plants${query}`;
            const headers = { authorization };
            const response = await to(new Request(url, { headers }));
            const body = new Uint8Array(await response.arrayBuffer());
            return [response.status, [...response.headers], body];
          };
          assertEquals(await send(handler), await send(model));
        }
      },
    ),
    { numRuns: 50 },
  );
});
