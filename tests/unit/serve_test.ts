import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { serve } from "../../src/server/serve.ts";
import { sendOverWire } from "../contract/wire.ts";
import { portOf } from "../support/server.ts";
import {
  behavior,
  checkBody,
  createUntrusted,
  TARGETS,
} from "../support/untrusted.ts";

test("serve() survives a store or a resource that misbehaves", async (t) => {
  const untrusted = createUntrusted();
  const { store, options } = untrusted;
  const server = await serve(store, { ...options, port: 0 });
  t.after(() => server.close());
  const method = fc.constantFrom("GET", "HEAD");
  const headers = [["Authorization", "Bearer t"]] as const;
  const property = fc.asyncProperty(
    behavior,
    method,
    async (behavior, method) => {
      untrusted.behavior = behavior;
      for (const target of TARGETS) {
        const request = { method, target, headers };
        const response = await sendOverWire(portOf(server), request);
        if (method === "HEAD") continue;
        checkBody(target, response.status, response.body);
      }
    },
  );
  await fc.assert(property, { numRuns: 100 });
  const { status } = await fetch(new URL("healthz", server.url));
  assertEquals(status, 200);
});
