import { test } from "node:test";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { createListCache } from "../../src/domain/list_cache.ts";

const bytes = (length: number) => new Uint8Array(length);

test("createListCache() gives the very list that it kept", async () => {
  const cache = createListCache(100);
  assertEquals(cache.get(1), undefined);
  const kept = cache.keep(1, bytes(10));
  const list = await kept;
  assertStrictEquals(cache.get(1), list);
  assertEquals(list.byteLength, 10);
});

test("createListCache() drops what was unused for longest, by bytes", async () => {
  const cache = createListCache(100);
  await cache.keep(1, bytes(40));
  await cache.keep(2, bytes(40));
  assert(cache.get(1));
  await cache.keep(3, bytes(40));
  assertEquals(cache.get(2), undefined);
  assert(cache.get(1));
  assert(cache.get(3));
  await cache.keep(4, bytes(100));
  assertEquals(cache.get(1), undefined);
  assertEquals(cache.get(3), undefined);
  assert(cache.get(4));
});

test("createListCache() does not keep what is larger than all", async () => {
  const cache = createListCache(100);
  await cache.keep(1, bytes(40));
  const list = await cache.keep(2, bytes(101));
  assertEquals(list.byteLength, 101);
  assertEquals(cache.get(2), undefined);
  assert(cache.get(1));
});
