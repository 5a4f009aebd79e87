import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { createMemoryStore } from "../../../../mod.ts";
import fc from "../../../support/fast_check.ts";
import { collect } from "../../../support/collect.ts";

const term = fc.nat(24).map(String);

test("a list has the plants with a tag or a name, in order, up to the limit", async () => {
  const property = fc.asyncProperty(
    fc.array(fc.record({ name: term, tag: term }, { requiredKeys: ["name"] })),
    fc.array(term, { maxLength: 30 }), // some twice
    fc.array(term, { maxLength: 3 }),
    fc.option(fc.nat(20), { nil: undefined }),
    async (plants, tags, names, limit) => {
      const users = { u: { plants: { tags, names }, tokens: ["t"] } };
      const user = await createMemoryStore({ plants, users }).authenticate("t");
      const expected = plants.filter(({ name, tag = "" }) =>
        tags.includes(tag) || names.includes(name)
      ).slice(0, limit);
      assertEquals(await collect(await user!.list(limit)), expected);
    },
  );
  await fc.assert(property, { numRuns: 200 });
});
