import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { http } from "msw";
import { setupServer } from "msw/node";
import { listNames } from "./client.ts";
import { CONTENT, failing, handler, store, unavailable } from "./plants.ts";

/**
 * Responds to all requests to the service. If the request itself were passed, MSW would
 * log an error for each request that the client aborts.
 */
const respondWith = (
  respond: (url: string, init: RequestInit) => Promise<Response>,
) =>
  http.all(
    "https://plants.example/*",
    ({ request: { url, method, headers } }) =>
      respond(url, { method, headers }),
  );

const server = setupServer(respondWith(handler));

before(() => server.listen({ onUnhandledRequest: "error" }));
beforeEach(() => store.replace(CONTENT));
afterEach(() => server.resetHandlers());
after(() => server.close());

test("MSW: lists the plants of the user", async () => {
  assert.deepEqual(await listNames("p3tal"), ["Rosa canina"]);
  await assert.rejects(listNames("unknown"), /^Error: 401: Invalid bearer/);
});

test("MSW: lists other plants", async () => {
  store.replace({ ...CONTENT, plants: [] });
  assert.deepEqual(await listNames("p3tal"), []);
});

test("MSW: reports an unavailable service", async () => {
  server.use(respondWith(unavailable));
  await assert.rejects(listNames("p3tal"), /^Error: 503: /);
});

test("MSW: reports a failing service", async () => {
  server.use(respondWith(failing));
  await assert.rejects(listNames("p3tal"), /^Error: 400: Unexpected failure/);
});

test("MSW: logs nothing if the client aborts", async (t) => {
  const { mock } = t.mock.method(console, "error", () => {});
  const controller = new AbortController();
  server.use(respondWith((url, init) => {
    controller.abort();
    return handler(url, init);
  }));
  const { signal } = controller;
  const aborted = fetch("https://plants.example/plants", { signal });
  await assert.rejects(aborted, { name: "AbortError" });
  await new Promise(setImmediate);
  assert.equal(mock.callCount(), 0);
});
