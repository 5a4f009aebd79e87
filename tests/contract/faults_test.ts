import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import {
  type CaseResult,
  type Handler,
  verify,
} from "../../src/contract/verify.ts";
import { FAULTS } from "./faults.ts";
import { openMemory } from "./setups.ts";
import { createHandler } from "../../mod.ts";

async function run(handler: Handler): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for await (const result of verify(handler)) results.push(result);
  return results;
}

const failed = (results: readonly CaseResult[]) =>
  results.filter(({ status }) => status === "failed");

test("verify: a correct handler passes", async () => {
  const results = await run(createHandler(openMemory()));
  assertEquals(failed(results), []);
  const skipped = results.filter(({ status }) => status === "skipped");
  assert(results.length > 230 && skipped.length < 20);
});

for (const [fault, handler] of Object.entries(FAULTS)) {
  test(`verify: ${fault}`, async () => {
    for await (const { status, id } of verify(handler)) {
      if (status === "failed") return assertEquals(id, fault.split(":")[0]);
    }
    throw new Error("no test case fails");
  });
}
