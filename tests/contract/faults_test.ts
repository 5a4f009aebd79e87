import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { verify } from "../../src/verify/verify.ts";
import { FAULTS, VARIANTS } from "./faults.ts";

for (const [name, handler] of Object.entries(VARIANTS)) {
  test(`verify: ${name} passes`, async () => {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for await (const { id, status, differences } of verify(handler)) {
      counts[status]++;
      assertEquals([id, differences], [id, []]);
    }
    assert(counts.passed > 120 && counts.skipped < 30, JSON.stringify(counts));
  });
}

for (const [fault, handler] of Object.entries(FAULTS)) {
  test(`verify: ${fault}`, async () => {
    const [id = ""] = fault.split(":");
    // Running all test cases would take three times as long.
    const [group = ""] = id.split(".");
    for await (const result of verify(handler, { only: [group] })) {
      if (result.status === "failed") return assertEquals(result.id, id);
    }
    throw new Error("no test case fails");
  });
}
