import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { OPTIONS } from "../../contract/setups.ts";
import { testContract } from "../../contract/suite.ts";
import { sendOverWire } from "../../contract/wire.ts";
import { startWorkers, type Workers } from "./workerd.ts";

const WORKER = "tests/integration/runtimes/worker.ts";

let workers: Promise<Workers> | undefined;
let open = 0;

testContract("workerd over a socket", async (setup) => {
  workers ??= startWorkers(
    Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, WORKER])),
  );
  const { ports, close } = await workers;
  open++;
  return {
    send: (request) => sendOverWire(ports.get(setup)!, request),
    async close() {
      if (--open === 0) await close();
    },
  };
});

test("workerd: concurrent requests for the same list get complete responses", async () => {
  const { ports, close } = await startWorkers({ open: WORKER });
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      sendOverWire(ports.get("open")!, {
        target: `/plants?limit=${index % 4}`,
        headers: [["Authorization", "Bearer mixed"]],
      })),
  );
  await close();
  assert(responses.every(({ status }) => status === 200));
  assertEquals(new Set(responses.map(({ body }) => body)).size, 4);
});
