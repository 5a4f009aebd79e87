import { mock, test, type TestContext } from "node:test";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertThrows,
} from "@std/assert";
import { createHandler, type PlantStore } from "../../mod.ts";
import { chooseDelay } from "../../src/domain/delay.ts";
import { resolveDelay } from "../../src/http/delay.ts";
import { page } from "../../src/page/page.ts";
import { serve, type Server } from "../../src/server/serve.ts";
import { openWire, type Wire } from "../contract/wire.ts";
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

test("chooseDelay() chooses from the whole range", () => {
  const choose = (random: number) =>
    chooseDelay({ min: 2, max: 4 }, () => random);
  assertEquals([0, 0.34, 0.999].map(choose), [2, 3, 4]);
});

for (const isAborted of [true, false]) {
  const when = isAborted ? "before" : "during";
  test(`handler() rejects if a request is aborted ${when} a delay`, async () => {
    const handler = createHandler(store, { delay: 60_000 });
    const url = "http://h/plants";
    const controller = new AbortController();
    const { signal } = controller;
    const abort = () => controller.abort(new RangeError("too slow"));
    if (isAborted) abort();
    const pending = [handler(url, { signal })];
    // On Deno, the handler ignores the signal of a Request.
    if (!("Deno" in globalThis)) {
      pending.push(handler(new Request(url, { signal })));
    }
    abort();
    await Promise.all(
      pending.map((each) => assertRejects(() => each, RangeError, "too slow")),
    );
  });
}

const EXPECTED = "from 0 to 60000 milliseconds, such as 500 or 200-800, got";

for (const delay of [-1, 1.5, NaN, 60_001, "2-1"]) {
  test(`createHandler() rejects the delay ${delay}`, () => {
    const create = () => createHandler(store, { delay });
    assertThrows(create, RangeError, `delay must be ${EXPECTED} "${delay}"`);
  });
}

test("resolveDelay() accepts a number or a range", () => {
  assertEquals(resolveDelay("0", "--delay"), { min: 0, max: 0 });
  assertEquals(resolveDelay("200-60000", "--delay"), { min: 200, max: 60_000 });
});

for (
  const text of ["", "x", "-1", "1-", "-", "1-2-3", "2-1", "1.5", "1e3"]
    .concat("60001", "0-60001", " 1", "1 - 2", "0x1", "500ms")
) {
  test(`resolveDelay() rejects ${JSON.stringify(text)}`, () => {
    const message = `--delay must be ${EXPECTED} ${JSON.stringify(text)}`;
    assertThrows(() => resolveDelay(text, "--delay"), RangeError, message);
  });
}

/** Starts a server and waits until it delays a response. */
async function startDelayed(
  t: TestContext,
  store: PlantStore,
  milliseconds: number,
): Promise<{ readonly server: Server; readonly wire: Wire }> {
  const started = createGate();
  t.after(() => t.mock.restoreAll()); // Deno does not restore them
  t.mock.method(Math, "random", () => {
    started.open();
    return 0;
  });
  const server = await serve(store, { port: 0, delay: milliseconds });
  t.after(() => server.close({ deadline: 0 }));
  const wire = openWire(portOf(server));
  wire.write(GET);
  await started.opened;
  return { server, wire };
}

test("serve() sends a delayed response while it shuts down", async (t) => {
  const { server, wire } = await startDelayed(t, store, 400);
  const closed = server.close();
  assertMatch(await wire.closed, /^HTTP\/1\.1 200 [^]*\]$/);
  await closed;
});

test("serve() stops a delay if the client disconnects", {
  skip: "Deno" in globalThis && "the signal of Deno.serve prints a warning",
}, async (t) => {
  const reached = createGate();
  const source: PlantStore = {
    authenticate() {
      reached.open();
      return undefined;
    },
  };
  const { wire } = await startDelayed(t, source, 60_000);
  wire.destroy();
  await reached.opened; // otherwise after a minute
});
