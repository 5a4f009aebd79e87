import { mock, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { createHandler, type PlantStore } from "../../mod.ts";
import { page } from "../../src/page/page.ts";
import { serve } from "../../src/server/serve.ts";
import { openWire } from "../contract/wire.ts";
import { createGate } from "../support/gate.ts";
import { GET, portOf, store } from "../support/server.ts";

/** Runs everything that does not wait for a timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

for (
  const [method, path, status, isDelayed] of [
    ["GET", "/plants", 200, true],
    ["HEAD", "/plants?limit=1", 200, true],
    ["GET", "/plants?limit=x", 400, true],
    ["POST", "/plants", 405, false],
    ["OPTIONS", "/plants", 204, false],
    ["GET", "/healthz", 200, false],
    ["GET", "/readyz", 200, false],
    ["GET", "/", 200, false],
    ["GET", "/nope", 404, false],
  ] as const
) {
  const delays = isDelayed ? "delays" : "does not delay";
  test(`createHandler() ${delays} ${method} ${path}`, async (t) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    t.after(() => mock.timers.reset());
    const handler = createHandler(store, { delay: 500, page });
    const headers = {
      authorization: "Bearer t",
      origin: "http://a",
      "access-control-request-method": "GET",
    };
    let isSettled = false;
    const pending = handler(path, { method, headers })
      .finally(() => isSettled = true);
    if (isDelayed) {
      await settle();
      mock.timers.tick(499);
      await settle();
      assert(!isSettled);
      mock.timers.tick(1);
    }
    assertEquals((await pending).status, status);
  });
}

test("serve() stops a delay if the client disconnects", {
  skip: "Deno" in globalThis && "the signal of Deno.serve prints a warning",
  timeout: 30_000,
}, async (t) => {
  const started = createGate(), reached = createGate();
  t.mock.method(Math, "random", () => {
    started.open();
    return 0;
  });
  t.after(() => t.mock.restoreAll()); // Deno and Bun do not restore it
  const store: PlantStore = {
    authenticate: () => void reached.open() as undefined,
  };
  const server = await serve(store, { port: 0, delay: 60_000 });
  t.after(() => server.close({ deadline: 0 }));
  const wire = openWire(portOf(server));
  wire.write(GET);
  await started.opened;
  wire.destroy();
  await reached.opened; // otherwise after a minute
});
