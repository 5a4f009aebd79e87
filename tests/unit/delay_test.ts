import { mock, test, type TestContext } from "node:test";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertThrows,
} from "@std/assert";
import {
  createHandler,
  type Handler,
  type PlantStore,
  StoreUnavailableError,
} from "../../mod.ts";
import { createWait, parseDelay } from "../../src/http/delay.ts";
import { openapi } from "../../src/openapi/openapi.ts";
import { page } from "../../src/page/page.ts";
import { serve } from "../../src/server/serve.ts";
import { openWire } from "../contract/wire.ts";
import { createGate } from "../support/gate.ts";
import { GET, portOf, store } from "../support/server.ts";

/** Returns a handler whose delays end when the test ticks. */
function createDelayed(t: TestContext, store: PlantStore) {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const options = { delay: 500, openapi, page, onError() {} };
  return createHandler(store, options);
}

/** Runs everything that does not wait for a timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

const failing = (error: Error): PlantStore => ({
  authenticate: () => Promise.reject(error),
});

for (
  const [name, path, init, status, source] of [
    ["GET", "/plants", {}, 200, store],
    ["HEAD", "/plants?limit=1", { method: "HEAD" }, 200, store],
    ["304", "/plants", { headers: { "if-none-match": "*" } }, 304, store],
    ["an invalid limit", "/plants?limit=x", {}, 400, store],
    [
      "an invalid token",
      "/plants",
      { headers: { authorization: "Bearer x" } },
      401,
      store,
    ],
    [
      "an unavailable store",
      "/plants",
      {},
      503,
      failing(new StoreUnavailableError("unavailable")),
    ],
    ["a failing store", "/plants", {}, 400, failing(new Error("broken"))],
  ] as const
) {
  test(`delay applies to ${name}`, async (t) => {
    const handler = createDelayed(t, source);
    const headers = { authorization: "Bearer t", ...init.headers };
    let isSettled = false;
    const pending = handler(path, { ...init, headers })
      .finally(() => isSettled = true);
    await settle();
    mock.timers.tick(499);
    await settle();
    assert(!isSettled);
    mock.timers.tick(1);
    assertEquals((await pending).status, status);
  });
}

for (
  const [method, path, status] of [
    ["OPTIONS", "/plants", 204],
    ["POST", "/plants", 405],
    ["GET", "/healthz", 200],
    ["GET", "/readyz", 200],
    ["GET", "/", 200],
    ["HEAD", "/openapi.json", 200],
    ["GET", "/nope", 404],
  ] as const
) {
  test(`delay does not apply to ${method} ${path}`, async (t) => {
    const handler = createDelayed(t, store);
    assertEquals((await handler(path, { method })).status, status);
  });
}

test("delay does not apply to a CORS preflight", async (t) => {
  const handler = createDelayed(t, store);
  const headers = new Headers({
    origin: "https://a.example",
    "access-control-request-method": "GET",
  });
  // Browsers and Deno do not allow scripts to set Origin in a Request.
  const request = { method: "OPTIONS", url: "http://h/plants", headers };
  assertEquals((await handler(request as Request)).status, 204);
});

test("createWait() chooses from the whole range", async (t) => {
  t.after(() => t.mock.restoreAll()); // Deno does not restore them
  const setTimer = t.mock.method(
    globalThis,
    "setTimeout",
    (end: () => void) => queueMicrotask(end),
  );
  for (
    const [random, expected] of [[0, 2], [0.34, 3], [0.999, 4]] as const
  ) {
    await createWait({ min: 2, max: 4, random: () => random })(undefined);
    assertEquals(setTimer.mock.calls.at(-1)!.arguments[1], expected);
  }
});

test("createWait() stops and removes its listener if the signal is aborted", async (t) => {
  t.after(() => t.mock.restoreAll());
  const setTimer = t.mock.method(globalThis, "setTimeout");
  const clearTimer = t.mock.method(globalThis, "clearTimeout");
  const wait = createWait(60_000);
  const controller = new AbortController();
  const { signal } = controller;
  const remove = t.mock.method(signal, "removeEventListener");
  const waiting = wait(signal);
  controller.abort();
  await waiting;
  assertEquals(
    clearTimer.mock.calls.at(-1)!.arguments[0],
    setTimer.mock.calls[0]!.result,
  );
  assertEquals(remove.mock.callCount(), 1);
  await wait(signal);
  assertEquals(setTimer.mock.callCount(), 1);
});

const url = "http://h/plants";
for (
  const [name, toInput] of [
    ["Request", (init: RequestInit) => [new Request(url, init)]],
    ["string", (init: RequestInit) => [url, init]],
  ] as const
) {
  test(`handler() rejects if a ${name} is aborted during a delay`, async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const handler = createHandler(store, { delay: 60_000 });
    const pending = handler(...toInput({ signal }) as Parameters<Handler>);
    controller.abort(new RangeError("too slow"));
    await assertRejects(() => pending, RangeError, "too slow");
  });
}

const EXPECTED = "from 0 to 60000 milliseconds, such as 500 or 200-800, got";

for (const delay of [-1, 1.5, NaN, 60_001, Infinity]) {
  test(`createHandler() rejects the delay ${delay}`, () => {
    const create = () => createHandler(store, { delay });
    assertThrows(create, RangeError, `delay must be ${EXPECTED} "${delay}"`);
  });
}

test("createHandler() rejects a range that ends before it starts", () => {
  const delay = { min: 2, max: 1 };
  assertThrows(() => createHandler(store, { delay }), RangeError, '"2-1"');
});

for (
  const [text, min, max] of [
    ["0", 0, 0],
    ["500", 500, 500],
    ["200-800", 200, 800],
    ["60000-60000", 60_000, 60_000],
  ] as const
) {
  test(`parseDelay() accepts ${text}`, () => {
    assertEquals(parseDelay(text, "--delay"), { min, max });
  });
}

for (
  const text of ["", "x", "-1", "1-", "-", "1-2-3", "2-1", "1.5", "1e3"]
    .concat("60001", "0-60001", " 1", "1 - 2", "0x1", "500ms")
) {
  test(`parseDelay() rejects ${JSON.stringify(text)}`, () => {
    const message = `--delay must be ${EXPECTED} ${JSON.stringify(text)}`;
    assertThrows(() => parseDelay(text, "--delay"), RangeError, message);
  });
}

/** Starts a server and waits until it delays a response. */
async function startDelayed(t: TestContext, max: number, source = store) {
  const started = createGate();
  const random = () => {
    started.open();
    return 0;
  };
  const delay = { min: max, max, random };
  const server = await serve(source, { port: 0, delay });
  t.after(() => server.close({ deadline: 0 }));
  const wire = openWire(portOf(server));
  t.after(() => wire.destroy());
  wire.write(GET);
  await started.opened;
  return { server, wire };
}

test("serve() sends a delayed response while it shuts down", async (t) => {
  const { server, wire } = await startDelayed(t, 400);
  const closed = server.close();
  const received = await wire.until(/\}\]$/);
  assertMatch(received, /^HTTP\/1\.1 200 /);
  assertMatch(received, /^connection: close/im);
  await closed;
});

test("serve() stops a delay if the client disconnects", {
  skip: "Deno" in globalThis && "the signal of Deno.serve prints a warning",
}, async (t) => {
  const reached = createGate();
  const source = {
    ...store,
    authenticate(token: string) {
      reached.open();
      return store.authenticate(token);
    },
  };
  const { wire } = await startDelayed(t, 60_000, source);
  wire.destroy();
  await reached.opened; // otherwise after a minute
});
