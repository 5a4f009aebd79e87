import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { start } from "../../../tools/start_cli.ts";
import { startProgram } from "../../../tools/start_program.ts";

test("SIGTERM exits with status 0 if the server has not started", async () => {
  const running = start([], {}, ".", "tests/support/signals.ts");
  await running.until("stdout", /ready\n/);
  running.kill("SIGTERM");
  const { status, signal } = await running.ended;
  assertEquals([status, signal], [0, null]);
});

for (
  const script of [
    "plant-store check && pm2 start plant-store",
    "plant-store check; setsid plant-store",
    "plant-store check\nsetsid plant-store",
    "plant-store-daemon",
    "nohup plant-store & wait-on http-get://127.0.0.1:8000/healthz",
    "pm2 start node_modules/.bin/plant-store",
  ]
) {
  test(`a server runs in its own process group in the script "${script}"`, async () => {
    const args = ["--import", "tsx", "tests/support/signals.ts"];
    const env = { npm_lifecycle_event: "x", npm_lifecycle_script: script };
    const running = startProgram("node", args, { env });
    await running.until("stdout", /ready\n/);
    running.kill("SIGTERM");
    await running.ended;
  });
}
