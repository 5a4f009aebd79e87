import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { findPort } from "./nginx.ts";
import { run, startFor } from "./programs.ts";

test("bun: several of src/cli/fetch.ts share a port, and one may go", async (t) => {
  const port = await findPort();
  // What npx starts would outlive npx.
  const print = ["--yes", "bun@1.4.5", "-p", "process.execPath"];
  const { stdout } = await run("npx", print);
  const start = () =>
    startFor(t, stdout.trim(), ["src/cli/fetch.ts"], {
      env: { PORT: `${port}` },
    });
  const running = [start(), start()];
  for (const { until } of running) await until("stdout", /Started .*server/);

  async function ask(): Promise<void> {
    for (let round = 0; round < 10; round++) {
      const response = await fetch(`http://127.0.0.1:${port}/plants?limit=1`, {
        headers: { authorization: "Bearer demo-curator", connection: "close" },
      });
      assertEquals((await response.json()).length, 1);
    }
  }
  await ask();
  running[0]!.kill("SIGTERM");
  await running[0]!.ended;
  await ask();
});
