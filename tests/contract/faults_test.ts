import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { createHandler } from "../../mod.ts";
import type { Case } from "../../src/verify/case.ts";
import { CASES } from "../../src/verify/cases.ts";
import { ALL, toRequest } from "../../src/verify/cases/group.ts";
import { PLANTS, verify } from "../../src/verify/verify.ts";
import { LIST_ALL_REQUEST, runCase } from "../../src/verify/run_case.ts";
import { FAULTS, VARIANTS } from "./faults.ts";
import { openHandler } from "./in_process.ts";
import { openMemory } from "./setups.ts";

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

/** The headers of requests whose responses are wrong for a test case. */
function findWrong({ expected: { status, body } }: Case): string[][] {
  const isAccepted = [status].flat().every((each) => each! < 300);
  const isPart = Array.isArray(body) && body.length < PLANTS.length;
  return [...isAccepted ? [[]] : [], ...isAccepted && !isPart ? [] : [[ALL]]];
}

const { send } = openHandler(createHandler(openMemory()));

for (const each of CASES) {
  if (each.id === "host.space") continue; // the list is correct, too
  for (const headers of findWrong(each)) {
    test(`verify: ${each.id} with the response to "${headers}"`, async () => {
      const others = [each.previousRequest, each.rival, LIST_ALL_REQUEST];
      const { differences } = await runCase(each, (request) => {
        const { method } = request;
        const line = `${method === "HEAD" ? method : "GET"} /plants`;
        const wrong = toRequest(line, ...headers);
        return send(others.includes(request) ? request : wrong);
      });
      assert(differences.length > 0);
    });
  }
}
