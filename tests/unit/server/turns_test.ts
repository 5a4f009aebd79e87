import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { assertEquals } from "@std/assert";
import { createTurns } from "../../../src/server/runtimes/turns.ts";

test("one list continues in each turn of the event loop", async () => {
  const takeTurn = createTurns();
  let turn = 0;
  const taken = Array.from({ length: 9 }, () => takeTurn().then(() => turn));
  let isLast = false;
  const turns = Promise.all(taken).finally(() => isLast = true);
  for (; !isLast; turn++) await setImmediate();
  assertEquals(new Set(await turns).size, 9);
});
