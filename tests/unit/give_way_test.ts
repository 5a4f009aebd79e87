import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { createGiveWay } from "../../src/shared/give_way.ts";

for (
  const [duration, turns, waits] of [[0, 5, false], [10, 9, true]] as const
) {
  test(`calls wait one after the other; lists take ${duration} ms`, async () => {
    let time = 0, running = 0, most = 0, count = 0;
    const giveWay = createGiveWay(async () => {
      count++;
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
    }, 2);
    const { now } = performance;
    performance.now = () => time;
    try {
      const list = async () => {
        await giveWay();
        time += duration;
      };
      await Promise.all([list(), list(), list()]);
      assertEquals<number>(count, turns);
      assertEquals(most, 1);
      assertEquals(giveWay() !== undefined, waits);
    } finally {
      performance.now = now;
    }
  });
}
