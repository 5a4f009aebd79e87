import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { fit } from "./trend.ts";

test("fit finds the slope and its confidence interval", () => {
  const { slope, low, high } = fit([1, 2, 2, 4, 4, 6, 5, 8, 7, 9]);
  // The standard error is 0.0825; Student's t is 2.306 for 8 degrees of freedom.
  assertEquals(slope.toFixed(4), "0.8606");
  assertEquals((high - low).toFixed(2), (2 * 2.306 * 0.08254).toFixed(2));
});
