import { testContract } from "../../contract/suite.ts";
import { sendOverWire } from "../../contract/wire.ts";
import { startWorker } from "./workerd.ts";

testContract("workerd over a socket", async (setup) => {
  const worker = "tests/integration/runtimes/worker.ts";
  const { port, close } = await startWorker(worker, setup);
  return { send: (request) => sendOverWire(port, request), close };
});
