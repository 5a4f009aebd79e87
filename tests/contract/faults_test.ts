import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { createHandler } from "../../mod.ts";
import { type CaseResult, verify } from "../../src/verify/verify.ts";
import { FAULTS } from "./faults.ts";
import { openMemory } from "./setups.ts";

test("verify: a correct handler passes", async () => {
  const statuses: CaseResult["status"][] = [];
  for await (const { id, status } of verify(createHandler(openMemory()))) {
    assert(status !== "failed", id);
    statuses.push(status);
  }
  const passed = statuses.filter((status) => status === "passed");
  assert(passed.length > 210 && statuses.length - passed.length < 20);
});

for (const [fault, handler] of Object.entries(FAULTS)) {
  test(`verify: ${fault}`, async () => {
    for await (const { status, id } of verify(handler)) {
      if (status === "failed") return assertEquals(id, fault.split(":")[0]);
    }
    throw new Error("no test case fails");
  });
}
