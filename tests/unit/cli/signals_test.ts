import process from "node:process";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { type Running, start } from "../../../tools/start_cli.ts";
import { startProgramFor } from "../../../tools/start_program.ts";

test("SIGTERM exits with status 0 if the server has not started", async () => {
  const running = start([], {}, ".", "tests/support/signals.ts");
  await running.until("stdout", /ready\n/);
  running.kill("SIGTERM");
  const { status, signal } = await running.ended;
  assertEquals([status, signal], [0, null]);
});

test("the exit of npm's shell stops only a server that the script does not start in the background", async (t) => {
  async function startIn(script: string): Promise<Running> {
    const env = { npm_lifecycle_event: "x", npm_lifecycle_script: script };
    const command = "node --import tsx tests/support/signals.ts & wait";
    const shell = startProgramFor(t, "sh", ["-c", command], { env });
    await shell.until("stdout", /ready\n/);
    process.kill(shell.process.pid!, "SIGKILL"); // only the shell, as npm does
    return shell; // it ends with the server, which has the same output
  }
  const background = await startIn(
    "plant-store & wait-on http-get://[::1]:8000",
  );
  let hasEnded = false;
  background.ended.then(() => hasEnded = true);
  const direct = await startIn("PORT=8001 plant-store --demo");
  await direct.ended;
  assertEquals(hasEnded, false);
});
