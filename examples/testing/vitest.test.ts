import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listNames } from "./client.ts";
import { CONTENT, failing, handler, store, unavailable } from "./plants.ts";

beforeEach(() => store.replace(CONTENT));
afterEach(() => vi.unstubAllGlobals());

test("Vitest: lists the plants of the user", async () => {
  vi.stubGlobal("fetch", handler);
  expect(await listNames("p3tal")).toEqual(["Rosa canina"]);
  await expect(listNames("unknown")).rejects.toThrow("401: Invalid bearer");
});

test("Vitest: lists other plants", async () => {
  vi.stubGlobal("fetch", handler);
  store.replace({ ...CONTENT, plants: [] });
  expect(await listNames("p3tal")).toEqual([]);
});

test("Vitest: reports an unavailable service", async () => {
  vi.stubGlobal("fetch", unavailable);
  await expect(listNames("p3tal")).rejects.toThrow("503: ");
});

test("Vitest: reports a failing service", async () => {
  vi.stubGlobal("fetch", failing);
  await expect(listNames("p3tal")).rejects.toThrow("400: Unexpected failure");
});
