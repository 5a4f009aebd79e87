import { Buffer } from "node:buffer";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { selectPlants } from "../../src/core/domain/snapshot.ts";
import {
  divide,
  type LongBody,
  PART_BYTES,
} from "../../src/server/runtimes/long_body.ts";
import fc from "../support/fast_check.ts";

/** Names whose characters take one to three bytes, or are escaped, and one that is longer than a part. */
const names = fc.array(
  fc.oneof(
    fc.tuple(
      fc.constantFrom("fern", "Ä", "草", "🌿", "\\", '"', "\ud800"),
      fc.nat(5_000),
    ).map(([text, count]) => text.repeat(count)),
    fc.constant("x".repeat(PART_BYTES + 1)),
  ),
  { maxLength: 20 },
);

test("a long body has the same bytes if its parts are dropped at any time", () => {
  const property = fc.property(
    names,
    fc.option(fc.nat(20), { nil: undefined }),
    fc.nat(30),
    (all, limit, partsBefore) => {
      const plants = all.map((name, at) => ({ name, tag: `${at % 3}` }));
      const view = { plants, access: { tags: ["0", "1"], names: ["Ä"] } };
      const text = JSON.stringify(selectPlants(view, limit));
      const json = new TextEncoder().encode(text);
      if (json.length <= PART_BYTES) return; // it is not divided
      const body = divide(json, view, limit) as LongBody;
      assertEquals(body.length, json.length);
      const parts: Uint8Array[] = [];
      for (const part of body) {
        if (parts.length === partsBefore) body.drop();
        assert(part.length <= PART_BYTES);
        parts.push(part);
      }
      assertEquals(Buffer.concat(parts), Buffer.from(json));
    },
  );
  fc.assert(property, { numRuns: 50 });
});

test("a long body whose plants can change is never dropped", () => {
  const json = new TextEncoder().encode("x".repeat(2 * PART_BYTES));
  const body = divide(json, undefined, undefined) as LongBody;
  body.drop();
  const parts = [...body];
  assertEquals(parts, [json.slice(0, PART_BYTES), json.slice(PART_BYTES)]);
});
