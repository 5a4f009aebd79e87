import { test } from "node:test";
import { start, stopAfter } from "../../../../tools/start_cli.ts";

// Long text from clients takes linear time, also in libraries and platforms: 1 MB is
// processed at all. In quadratic time, it would take hours.

test("long text from clients takes linear time", async (t) => {
  const running = start([], {}, ".", "tests/support/long_text.ts");
  stopAfter(t, running);
  await running.until("stdout", /^done$/m);
});
