import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { createDemoStore, createHandler } from "plant-store";
import { fetchWithRetry, type RetryOptions } from "./retry.ts";

const handler = createHandler(createDemoStore());
const network = mock.method(globalThis, "fetch", handler);
beforeEach(() => network.mock.resetCalls());

const list = (token: string, options?: RetryOptions) =>
  fetchWithRetry("https://plants.example/plants", {
    authorization: `Bearer ${token}`,
  }, options);

test("fetchWithRetry() retries until a flaky service responds", async () => {
  const { status } = await list("demo-flaky");
  assert.equal(status, 200);
});

test("fetchWithRetry() gives up after the last attempt", async () => {
  const { status } = await list("demo-unavailable", { attempts: 2 });
  assert.equal(status, 503);
  assert.equal(network.mock.callCount(), 2);
});

test("fetchWithRetry() does not retry other errors", async () => {
  const { status } = await list("demo-expired");
  assert.equal(status, 401);
  assert.equal(network.mock.callCount(), 1);
});

test("fetchWithRetry() rejects if a slow service exceeds the timeout", async () => {
  const response = list("demo-slow", { timeout: 200 });
  await assert.rejects(response, { name: "TimeoutError" });
});

test("fetchWithRetry() waits for a slow service within the timeout", async () => {
  const response = await list("demo-slow");
  assert.equal((await response.json()).length, 198);
});
