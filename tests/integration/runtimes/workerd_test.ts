import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { describeOutcome, DIFFERENCES } from "../../contract/differences.ts";
import { testContract } from "../../contract/suite.ts";
import { createSender } from "../../contract/wire.ts";
import { startWorker } from "./workerd.ts";

const WORKER = "tests/integration/runtimes/worker.ts";

testContract("workerd over a socket", async (setup) => {
  const { port, close } = await startWorker(WORKER, setup);
  return { send: createSender(port), close };
}, { runtime: "workerd" });

test("workerd responds to unusual requests as recorded", async () => {
  const { port, close } = await startWorker(WORKER, "open");
  const found: string[][] = [];
  for (const { name, bytes } of DIFFERENCES) {
    found.push([name, await describeOutcome(port, bytes)]);
  }
  await close();
  const expected = DIFFERENCES.map(({ name, outcomes }) => [name, outcomes[3]]);
  assertEquals(found, expected);
});
