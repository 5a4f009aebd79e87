import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { listNames } from "./client.ts";
import { CONTENT, failing, handler, store, unavailable } from "./plants.ts";

beforeEach(() => store.replace(CONTENT));

test("node:test: lists the plants of the user", async (t) => {
  t.mock.method(globalThis, "fetch", handler);
  assert.deepEqual(await listNames("p3tal"), ["Rosa canina"]);
  await assert.rejects(listNames("unknown"), /^Error: 401: Invalid bearer/);
});

test("node:test: lists other plants", async (t) => {
  t.mock.method(globalThis, "fetch", handler);
  store.replace({ ...CONTENT, plants: [] });
  assert.deepEqual(await listNames("p3tal"), []);
});

test("node:test: reports an unavailable service", async (t) => {
  t.mock.method(globalThis, "fetch", unavailable);
  await assert.rejects(listNames("p3tal"), /^Error: 503: /);
});

test("node:test: reports a failing service", async (t) => {
  t.mock.method(globalThis, "fetch", failing);
  await assert.rejects(listNames("p3tal"), /^Error: 400: Unexpected failure/);
});
