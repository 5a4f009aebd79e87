import { equal, rejects } from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { fetchWithRetry } from "./retry.mjs";

const url = `http://127.0.0.1:${process.env.PORT ?? 8000}/plants`;
const list = (token, options) =>
  fetchWithRetry(url, { authorization: `Bearer ${token}` }, options);

test("retries until a flaky service responds", async () => {
  equal((await list("demo-flaky")).status, 200);
});

test("gives up after the last attempt", async (t) => {
  const { mock } = t.mock.method(globalThis, "fetch");
  equal((await list("demo-unavailable", { attempts: 2 })).status, 503);
  equal(mock.callCount(), 2);
});

test("does not retry other errors", async (t) => {
  const { mock } = t.mock.method(globalThis, "fetch");
  equal((await list("demo-expired")).status, 401);
  equal(mock.callCount(), 1);
});

test("rejects if a slow service exceeds the timeout", async () => {
  await rejects(list("demo-slow", { timeout: 500 }), { name: "TimeoutError" });
});

test("waits for a slow service within the timeout", async () => {
  equal((await list("demo-slow")).status, 200);
});
