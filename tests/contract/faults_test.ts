import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { createHandler } from "../../mod.ts";
import { verify } from "../../src/verify/verify.ts";
import { FAULTS } from "./faults.ts";
import { openMemory } from "./setups.ts";

const correct = createHandler(openMemory());
const CORRECT = {
  "a correct handler": correct,
  "without Content-Length": async (request: Request) => {
    const { status, headers, body } = await correct(request);
    headers.delete("content-length");
    return new Response(body, { status, headers });
  },
  "with other properties and headers": async (request: Request) => {
    const { status, headers, body } = await correct(request);
    headers.delete("content-length");
    headers.set("content-type", 'application/json; charset="UTF-8"');
    headers.append("vary", "Origin");
    const text = body && (await new Response(body).text())
      .replaceAll('{"', '{ "id" : 1 ,\n "');
    return new Response(text, { status, headers });
  },
};

for (const [name, handler] of Object.entries(CORRECT)) {
  test(`verify: ${name} passes`, async () => {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for await (const { id, status, differences } of verify(handler)) {
      counts[status]++;
      assertEquals([id, differences], [id, []]);
    }
    assert(counts.passed > 270 && counts.skipped < 30);
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
