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
  createMemoryStore,
  type Delay,
  type Handler,
  type PlantStore,
  StoreUnavailableError,
} from "../../mod.ts";
import { createWait, parseDelay } from "../../src/http/delay.ts";
import { openapi } from "../../src/openapi/openapi.ts";
import { page } from "../../src/page/page.ts";
import { serve } from "../../src/server/serve.ts";
import { openWire } from "../contract/wire.ts";

const store = createMemoryStore({
  plants: [{ name: "a" }],
  users: { u: { plants: "all", tokens: ["t"] } },
});

/** Returns a handler whose responses to `/plants` wait until the test ticks. */
function createDelayed(t: TestContext, store: PlantStore, delay: Delay) {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  return createHandler(store, { delay, openapi, page, onError() {} });
}

/** Lets everything run that needs no timer. */
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
      "another token",
      "/plants",
      {
        headers: { authorization: "Bearer x" },
      },
      401,
      store,
    ],
    [
      "an unavailable store",
      "/plants",
      {},
      503,
      failing(new StoreUnavailableError("away")),
    ],
    ["a failing store", "/plants", {}, 400, failing(new Error("broken"))],
  ] as const
) {
  test(`delay applies to ${name}`, async (t) => {
    const handler = createDelayed(t, source, 500);
    const headers = { authorization: "Bearer t", ...init.headers };
    let isSettled = false;
    const pending = handler(
      new Request(`http://h${path}`, { ...init, headers }),
    ).finally(() => isSettled = true);
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
    const handler = createDelayed(t, store, 500);
    const response = await handler(new Request(`http://h${path}`, { method }));
    assertEquals(response.status, status);
  });
}

test("delay does not apply to a CORS preflight", async (t) => {
  const handler = createDelayed(t, store, 500);
  const headers = new Headers({
    origin: "https://a.example",
    "access-control-request-method": "GET",
  });
  // The Request of browsers and Deno has no Origin of its own.
  const request = { method: "OPTIONS", url: "http://h/plants", headers };
  assertEquals((await handler(request as Request)).status, 204);
});

test("createWait() chooses from the whole range", async (t) => {
  t.after(() => t.mock.restoreAll()); // Deno leaves it to the test
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

test("createWait() stops when the signal is aborted, and leaves nothing behind", async (t) => {
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

for (
  const [name, send] of [
    [
      "a Request",
      (handler, init) => handler(new Request("http://h/plants", init)),
    ],
    ["a string", (handler, init) => handler("/plants", init)],
  ] as readonly [
    string,
    (handler: Handler, init: RequestInit) => Promise<Response>,
  ][]
) {
  test(`createHandler() rejects when ${name} is aborted during a delay`, async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const handler = createHandler(store, { delay: 60_000 });
    const pending = send(handler, { signal });
    controller.abort(new RangeError("too slow"));
    await assertRejects(() => pending, RangeError, "too slow");
  });
}

for (const delay of [-1, 1.5, NaN, 60_001, Infinity]) {
  test(`createHandler() rejects the delay ${delay}`, () => {
    assertThrows(
      () => createHandler(store, { delay }),
      RangeError,
      `delay must be milliseconds from 0 to 60000, such as 500 or 200-800, got "${delay}"`,
    );
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
    assertThrows(
      () => parseDelay(text, "--delay"),
      RangeError,
      `--delay must be milliseconds from 0 to 60000, such as 500 or 200-800, got ${
        JSON.stringify(text)
      }`,
    );
  });
}

/** Starts a server; `started` resolves when the delay of a response starts. */
async function startDelayed(t: TestContext, max: number, source = store) {
  let start: () => void;
  const started = new Promise<void>((resolve) => start = resolve);
  const random = () => {
    start();
    return 0;
  };
  const delay = { min: max, max, random };
  const server = await serve(source, { port: 0, delay });
  t.after(() => server.close({ deadline: 0 }));
  const wire = openWire(Number(new URL(server.url).port));
  t.after(() => wire.destroy());
  wire.write(
    "GET /plants HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer t\r\n\r\n",
  );
  await started;
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

test("serve() stops a delay when the client is gone", {
  skip: "Deno" in globalThis && "the signal of Deno.serve prints a warning",
}, async (t) => {
  let reach: () => void;
  const reached = new Promise<void>((resolve) => reach = resolve);
  const source = {
    ...store,
    authenticate(token: string) {
      reach();
      return store.authenticate(token);
    },
  };
  const { wire } = await startDelayed(t, 60_000, source);
  wire.destroy();
  await reached; // a delay that goes on takes a minute
});
