import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { LongBody, PART_BYTES } from "../../src/server/runtimes/long_body.ts";
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
  const property = fc.property(names, fc.nat(30), (all, partsBefore) => {
    const plants = all.map((name) => ({ name }));
    const json = new TextEncoder().encode(JSON.stringify(plants));
    const body = new LongBody(json, () => plants);
    assertEquals(body.length, json.length);
    let count = 0, text = "";
    for (const part of body) {
      if (count === partsBefore) body.drop();
      assert(part.length <= PART_BYTES);
      for (const byte of part) text += String.fromCharCode(byte);
      count++;
    }
    assertEquals(Uint8Array.from(text, (each) => each.charCodeAt(0)), json);
  });
  fc.assert(property, { numRuns: 50 });
});

test("a long body whose plants can change is never dropped", () => {
  const json = new TextEncoder().encode("x".repeat(2 * PART_BYTES));
  const body = new LongBody(json);
  body.drop();
  const parts = [...body];
  assertEquals(parts, [json.slice(0, PART_BYTES), json.slice(PART_BYTES)]);
});
