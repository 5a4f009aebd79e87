import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { describeOutcome, DIFFERENCES } from "../../contract/differences.ts";
import { startWorker } from "./workerd.ts";

// The contract runs on workerd in examples/cloudflare_worker.ts.

test("workerd responds to unusual requests as recorded", async () => {
  const worker = "tests/integration/runtimes/worker.ts";
  const { port, close } = await startWorker(worker);
  const found: string[][] = [];
  for (const { name, bytes } of DIFFERENCES) {
    found.push([name, await describeOutcome(port, bytes)]);
  }
  await close();
  const expected = DIFFERENCES.map(({ name, outcomes }) => [name, outcomes[3]]);
  assertEquals(found, expected);
});
