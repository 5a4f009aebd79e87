import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { readLimit } from "../../../../src/core/http/limit.ts";
import fc from "../../../support/fast_check.ts";

/** Digits, and what is not a limit. */
const values = fc.oneof(
  fc.nat({ max: 4_000_000_000 }).map(String),
  fc.stringMatching(/^[0-9a&=+-]{0,11}$/),
);

test("the usual query has the same limit as one that must be decoded", () => {
  fc.assert(fc.property(values, (value) => {
    assertEquals(readLimit(`limit=${value}`), readLimit(`%6cimit=${value}`));
  }));
});
