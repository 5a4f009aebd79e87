import { test } from "node:test";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { addEtag } from "../../src/domain/etag.ts";
import { createListCache } from "../../src/domain/list_cache.ts";

/** A body of so many thousand bytes. */
const bytes = (thousands: number) => new Uint8Array(thousands * 1000);

test("createListCache() gives the very list that it kept", async () => {
  const cache = createListCache(102_000, addEtag);
  assertEquals(cache.get("1"), undefined);
  const kept = cache.keep("1", bytes(10));
  const list = await kept;
  assertStrictEquals(cache.get("1"), list);
  assertEquals(list.byteLength, 10_000);
});

test("createListCache() drops first what nobody asked for again, by bytes", async () => {
  const cache = createListCache(102_000, addEtag);
  await cache.keep("1", bytes(40));
  await cache.keep("2", bytes(40));
  assert(cache.get("1"));
  await cache.keep("3", bytes(40));
  assertEquals(cache.get("2"), undefined);
  assert(cache.get("1") && cache.get("3"));
  // All are wanted: the new one goes, and they are passed over this once.
  await cache.keep("4", bytes(40));
  assertEquals(cache.get("4"), undefined);
  await cache.keep("4", bytes(40));
  assert(cache.get("4"));
  assertEquals(cache.get("3"), undefined);
  assert(cache.get("1"));
});

test("createListCache() does not keep what is larger than all", async () => {
  const cache = createListCache(102_000, addEtag);
  await cache.keep("1", bytes(40));
  const list = await cache.keep("2", bytes(102));
  assertEquals(list.byteLength, 102_000);
  assertEquals(cache.get("2"), undefined);
  assert(cache.get("1"));
});

test("createListCache() counts what an entry takes beside its body", async () => {
  const cache = createListCache(102_000, addEtag);
  for (let key = 0; key < 1000; key++) await cache.keep(`${key}`, bytes(0));
  assertEquals(cache.get("0"), undefined);
  assert(cache.get("999"));
});
