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

/** The plants that an access allows, by definition. */
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

// Few names, so that they repeat, and such as objects or encodings trip over.
const word = fc.oneof(fc.constantFrom("a", "b"), nameText);
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

/** What a user may be called: keys that every object has, too. */
const user = anyText;

test("access: every user has a view, whatever the name, and nobody else has", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(user, { maxLength: 6 }),
      fc.uniqueArray(fc.constantFrom(..."abcdef"), { minLength: 6 }),
      (names, tokens) => {
        const users = names.map((name, at) => [
          name,
          { plants: "all", tokens: [tokens[at]] },
        ]);
        const store = createMemoryStore({
          plants: [],
          users: Object.fromEntries(users),
        });
        for (const [at, token] of tokens.entries()) {
          assertEquals(store.authenticate(token)?.user, names[at]);
        }
        for (const name of names) {
          if (!tokens.includes(name)) {
            assertEquals(store.authenticate(name), undefined);
          }
        }
      },
    ),
  );
});

test("access: a shorter list is the start of a longer one, and has its tag alone if it is as long", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(plant, { maxLength: 30 }),
      access,
      fc.nat(32),
      fc.nat(32),
      async (plants, access, one, other) => {
        const store = createMemoryStore({
          plants,
          users: { u: { plants: access, tokens: ["t"] } },
        });
        const [short, long] = await Promise.all(
          [Math.min(one, other), Math.max(one, other)].map(async (limit) => {
            const list = await store.authenticate("t")!.list(
              limit,
            ) as EncodedList;
            const text = new TextDecoder().decode(list.body as Uint8Array);
            return { etag: list.etag, plants: JSON.parse(text) as Plant[] };
          }),
        );
        assertEquals(
          long!.plants.slice(0, short!.plants.length),
          short!.plants,
        );
        assertEquals(
          short!.etag === long!.etag,
          short!.plants.length === long!.plants.length,
        );
      },
    ),
    { numRuns: 300 },
  );
});

test("access: every list is what plant by plant gives", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(plant, { maxLength: 30 }),
      fc.array(access, { minLength: 1, maxLength: 4 }),
      fc.array(
        fc.record({
          user: fc.nat(3),
          limit: fc.option(fc.nat(32), { nil: undefined }),
        }),
        { minLength: 1, maxLength: 8 },
      ),
      async (plants, accesses, questions) => {
        const users = accesses.map((access, index) => [
          `user${index}`,
          { plants: access, tokens: [`token${index}`] },
        ]);
        const handler = createHandler(
          createMemoryStore({ plants, users: Object.fromEntries(users) }),
        );
        const tags = new Map<string, string>();
        for (const { user, limit } of questions) {
          const index = user % accesses.length;
          const query = limit === undefined ? "" : `?limit=${limit}`;
          const response = await handler(
            new Request(`http://localhost/plants${query}`, {
              headers: { authorization: `Bearer token${index}` },
            }),
          );
          const body = await response.text();
          assertEquals(
            JSON.parse(body),
            expected(plants, accesses[index]!, limit),
          );
          // Equal bodies have equal tags, others have others.
          const tag = response.headers.get("etag")!;
          assertEquals(tags.get(body) ?? tag, tag);
          tags.set(body, tag);
          assertEquals(new Set(tags.values()).size, tags.size);
        }
      },
    ),
    { numRuns: 300 },
  );
});
