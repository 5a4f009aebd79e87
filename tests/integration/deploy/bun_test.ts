import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { BUN } from "../../../tools/runtimes.ts";
import { findPort } from "../../support/port.ts";
import { startProgramFor } from "../../support/program.ts";

test("Bun processes of src/cli/fetch.ts share a port, and one can stop", async (t) => {
  const port = await findPort();
  const env = { PORT: `${port}` };
  const [command, ...args] = [...BUN, "src/cli/fetch.ts"];
  const start = () => startProgramFor(t, command!, args, { env });
  const running = [start(), start()] as const;
  for (const { until } of running) await until("stdout", /Started .*server/);

  async function list(): Promise<void> {
    for (let round = 0; round < 10; round++) {
      const response = await fetch(`http://127.0.0.1:${port}/plants?limit=1`, {
        headers: { authorization: "Bearer demo-curator", connection: "close" },
      });
      assertEquals((await response.json()).length, 1);
    }
  }
  await list();
  running[0].kill("SIGTERM");
  await running[0].ended;
  await list();
});
