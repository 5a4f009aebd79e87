import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { BUN } from "../../../tools/runtimes.ts";
import { findPort } from "../../support/port.ts";
import { startProgramFor } from "../../support/program.ts";
import { send } from "../../support/send.ts";

test("Bun processes of src/cli/fetch.ts share a port, and one can stop", async (t) => {
  const port = await findPort();
  const env = { PORT: `${port}` };
  const [command, ...args] = [...BUN, "src/cli/fetch.ts"];
  const start = () => startProgramFor(t, command!, args, { env });
  const running = [start(), start()] as const;
  for (const { until } of running) await until("stdout", /Started .*server/);

  async function sendRequests(): Promise<void> {
    for (let round = 0; round < 10; round++) {
      assertEquals((await send({ port, path: "/healthz" })).status, 200);
    }
  }
  await sendRequests();
  running[0].kill("SIGTERM");
  await running[0].ended;
  await sendRequests();
});
