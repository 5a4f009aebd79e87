import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { start } from "../../support/command.ts";

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
