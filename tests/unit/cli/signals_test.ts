import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { start, stopAfter } from "../../support/command.ts";

const MODULE = "tests/support/signals.ts";

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal} exits with status 0 if the server has not started`, async () => {
    const running = start([], {}, ".", MODULE);
    await running.until("stdout", /ready\n/);
    running.kill(signal);
    const { status, signal: killed } = await running.ended;
    assertEquals([status, killed], [0, null]);
  });
}

test("SIGHUP waits until the server has started", async (t) => {
  const running = start([], {}, ".", MODULE);
  stopAfter(t, running);
  await running.until("stdout", /ready\n/);
  running.kill("SIGHUP");
  await running.until("stdout", /ready\nreload\n/);
  running.kill("SIGTERM");
  const { status, stdout } = await running.ended;
  assertEquals([status, stdout], [3, "ready\nreload\nstop 15\n"]);
});
