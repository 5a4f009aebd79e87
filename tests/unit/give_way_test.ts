import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { createGiveWay } from "../../src/shared/give_way.ts";

test("calls wait one after the other, and only if no turns have just passed", async () => {
  let running = 0, most = 0;
  const giveWay = createGiveWay(async () => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
  });
  const waits = [giveWay(), giveWay()];
  assert(waits.every((wait) => wait !== undefined));
  await Promise.all(waits);
  assertEquals(most, 1);
  assertEquals(giveWay(), undefined);
});
