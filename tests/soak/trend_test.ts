import { test } from "node:test";
import { assert, assertThrows } from "@std/assert";
import { fit } from "./trend.ts";

const near = (actual: number, expected: number) =>
  assert(Math.abs(actual - expected) < 0.002, `${actual}, not ${expected}`);

test("fit finds the slope, and between what it lies", () => {
  const { slope, low, high } = fit([
    [0, 1],
    [1, 2],
    [2, 2],
    [3, 4],
    [4, 4],
    [5, 6],
    [6, 5],
    [7, 8],
    [8, 7],
    [9, 9],
  ]);
  // 0.8606 with a standard error of 0.0825; Student's t is 2.306 for 8 degrees of freedom.
  near(slope, 0.8606);
  near(high - low, 2 * 2.306 * 0.08254);
});

test("fit tells a line without slope", () => {
  const { slope, low, high } = fit([[0, 1], [1, 2], [2, 2], [3, 1]]);
  near(slope, 0);
  assert(low < 0 && high > 0);
});

test("fit needs three points", () => {
  assertThrows(() => fit([[0, 0], [1, 1]]), RangeError);
});
