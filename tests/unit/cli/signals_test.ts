import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { start } from "../../../tools/command.ts";

test("SIGTERM exits with status 0 if the server has not started", async () => {
  const running = start([], {}, ".", "tests/support/signals.ts");
  await running.until("stdout", /ready\n/);
  running.kill("SIGTERM");
  const { status, signal } = await running.ended;
  assertEquals([status, signal], [0, null]);
});
