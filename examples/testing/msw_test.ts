import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { http } from "msw";
import { setupServer } from "msw/node";
import { listNames } from "./client.ts";
import { CONTENT, failing, handler, store, unavailable } from "./plants.ts";

const ALL = "https://plants.example/*";
const server = setupServer(http.all(ALL, ({ request }) => handler(request)));

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
  server.use(http.all(ALL, ({ request }) => unavailable(request)));
  await assert.rejects(listNames("p3tal"), /^Error: 503: /);
});

test("MSW: reports a failing service", async () => {
  server.use(http.all(ALL, ({ request }) => failing(request)));
  await assert.rejects(listNames("p3tal"), /^Error: 400: Cannot list/);
});
