import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import fc from "../../../support/fast_check.ts";
import {
  type Access,
  createHandler,
  createMemoryStore,
  type Plant,
} from "../../../../mod.ts";
import { isExpired } from "../../../../src/core/domain/token.ts";
import { nameText } from "../../../support/text.ts";

/** Defines which plants `access` allows. */
function expected(
  plants: readonly Plant[],
  access: Access,
  limit?: number,
): Plant[] {
  const seen = plants.filter(({ name, tag }) =>
    access === "all" || access.names?.includes(name) ||
    (tag !== undefined && access.tags?.includes(tag))
  );
  return seen.slice(0, limit);
}

// Includes repeated names, and names that break objects or encodings.
const word = fc.oneof(fc.constantFrom("a", '"', '"b', "\\b"), nameText);
const plant: fc.Arbitrary<Plant> = fc.oneof(
  fc.record({ name: word }),
  fc.record({ name: word, tag: word }),
);
const plants = fc.array(plant, { maxLength: 30 });
const words = fc.array(word, { maxLength: 5 });
const some = fc.record({ tags: words, names: words }, { requiredKeys: [] });
const access: fc.Arbitrary<Access> = fc.oneof(
  { weight: 1, arbitrary: fc.constant("all" as const) },
  { weight: 6, arbitrary: some },
);

test("each user receives exactly the plants that their access allows", async () => {
  const request = fc.record({
    user: fc.nat(3),
    limit: fc.option(fc.nat(32), { nil: undefined }),
    // Lists that are requested again come from a cache.
    times: fc.integer({ min: 1, max: 3 }),
  });
  const property = fc.asyncProperty(
    plants,
    fc.array(access, { minLength: 1, maxLength: 4 }),
    fc.array(request, { minLength: 1, maxLength: 12 }),
    async (plants, accesses, requests) => {
      const users = accesses.map((access, index) =>
        [`user${index}`, { plants: access, tokens: [`token${index}`] }] as const
      );
      const handler = createHandler(
        createMemoryStore({ plants, users: Object.fromEntries(users) }),
      );
      const etags = new Map<string, string>();
      for (const { user, limit, times } of requests) {
        const index = user % accesses.length;
        const query = limit === undefined ? "" : `?limit=${limit}`;
        const send = () =>
          handler(`/plants${query}`, {
            headers: { authorization: `Bearer token${index}` },
          });
        const seen = expected(plants, accesses[index]!, limit);
        const sent = Array.from({ length: times }, send);
        for (const each of await Promise.all(sent)) {
          const body = await each.text();
          assertEquals(JSON.parse(body), seen);
          // Equal bodies have equal ETags, and different bodies different ones.
          const etag = each.headers.get("etag")!;
          assertEquals(etags.get(body) ?? etag, etag);
          etags.set(body, etag);
          assertEquals(new Set(etags.values()).size, etags.size);
        }
      }
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

test("an invalid expiration time has passed", () => {
  assert(isExpired(NaN));
});
