import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { OPTIONS } from "../../contract/setups.ts";
import { testContract } from "../../contract/suite.ts";
import { sendOverWire } from "../../contract/wire.ts";
import { startWorkers, type Workers } from "./workerd.ts";

const names = Object.keys(OPTIONS);
let workers: Promise<Workers> | undefined;
let open = 0;

testContract("workerd over a socket", async (setup) => {
  workers ??= startWorkers(
    Object.fromEntries(
      names.map((name) => [name, "tests/integration/runtimes/worker.ts"]),
    ),
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

test("workerd: requests at once share a list that is being made", async () => {
  const { ports, close } = await startWorkers({
    open: "tests/integration/runtimes/worker.ts",
  });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      sendOverWire(ports.get("open")!, {
        target: `/plants?limit=${at % 4}`,
        headers: [["Authorization", "Bearer mixed"]],
      })),
  );
  await close();
  const bodies = new Set(answers.map(({ status, body }) => status + body));
  assertEquals(bodies.size, 4);
  assert(answers.every(({ status }) => status === 200));
});
