import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type Access,
  createHandler,
  createMemoryStore,
  type EncodedList,
  type Plant,
} from "../../mod.ts";
import { anyText, nameText } from "../support/text.ts";

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
const word = fc.oneof(fc.constantFrom("a", "b"), nameText);
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
const limit = fc.nat(32);

test("authenticate() returns users with any name, only for their tokens", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyText, { maxLength: 6 }),
      fc.uniqueArray(fc.constantFrom(..."abcdef"), { minLength: 6 }),
      (names, tokens) => {
        const users = names.map((
          name,
          at,
        ) => [name, { plants: "all" as const, tokens: [tokens[at]!] }]);
        const store = createMemoryStore({
          plants: [],
          users: Object.fromEntries(users),
        });
        for (const [at, token] of tokens.entries()) {
          assertEquals(store.authenticate(token)?.user, names[at]);
        }
        for (const name of names) {
          if (tokens.includes(name)) continue;
          assertEquals(store.authenticate(name), undefined);
        }
      },
    ),
  );
});

test("a shorter list is a prefix of a longer one and has a different ETag", async () => {
  const property = fc.asyncProperty(
    plants,
    access,
    limit,
    limit,
    async (plants, access, one, other) => {
      const store = createMemoryStore({
        plants,
        users: { u: { plants: access, tokens: ["t"] } },
      });
      const limits = [Math.min(one, other), Math.max(one, other)];
      const [short, long] = await Promise.all(limits.map(async (limit) => {
        const list = await store.authenticate("t")!.list(limit) as EncodedList;
        const text = new TextDecoder().decode(list.body as Uint8Array);
        return { etag: list.etag, plants: JSON.parse(text) as Plant[] };
      }));
      const { length } = short!.plants;
      assertEquals(long!.plants.slice(0, length), short!.plants);
      const isSame = length === long!.plants.length;
      assertEquals(short!.etag === long!.etag, isSame);
    },
  );
  await fc.assert(property, { numRuns: 200 });
});

test("each user receives exactly the plants that their access allows", async () => {
  const request = fc.record({
    user: fc.nat(3),
    limit: fc.option(limit, { nil: undefined }),
  });
  const property = fc.asyncProperty(
    plants,
    fc.array(access, { minLength: 1, maxLength: 4 }),
    fc.array(request, { minLength: 1, maxLength: 8 }),
    async (plants, accesses, requests) => {
      const users = accesses.map((access, index) =>
        [`user${index}`, { plants: access, tokens: [`token${index}`] }] as const
      );
      const handler = createHandler(
        createMemoryStore({ plants, users: Object.fromEntries(users) }),
      );
      const etags = new Map<string, string>();
      for (const { user, limit } of requests) {
        const index = user % accesses.length;
        const query = limit === undefined ? "" : `?limit=${limit}`;
        const response = await handler(`/plants${query}`, {
          headers: { authorization: `Bearer token${index}` },
        });
        const body = await response.text();
        const seen = expected(plants, accesses[index]!, limit);
        assertEquals(JSON.parse(body), seen);
        // Equal bodies have equal ETags, and different bodies different ones.
        const etag = response.headers.get("etag")!;
        assertEquals(etags.get(body) ?? etag, etag);
        etags.set(body, etag);
        assertEquals(new Set(etags.values()).size, etags.size);
      }
    },
  );
  await fc.assert(property, { numRuns: 200 });
});
