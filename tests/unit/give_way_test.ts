import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { createGiveWay } from "../../src/shared/give_way.ts";

test("calls wait one after the other, and only if no turns have just passed", async () => {
  let running = 0, most = 0, count = 0;
  const giveWay = createGiveWay(async () => {
    count++;
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
  }, 2);
  const waits = [giveWay(), giveWay()];
  assert(waits.every((wait) => wait !== undefined));
  await Promise.all(waits);
  assertEquals([most, count], [1, 4]);
  assertEquals(giveWay(), undefined);
});
