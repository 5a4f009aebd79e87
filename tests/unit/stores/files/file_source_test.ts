import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { StoreFiles } from "../../../../src/stores/files/store_files.ts";

const encode = (text: string) => new TextEncoder().encode(text);

test("load() reports a file that is being written once at most", async () => {
  const { plants: source } = new StoreFiles({ plants: "p", tokens: "t" });
  async function load(text: string, unchangedMs?: number) {
    const change = await source.load(encode(text), unchangedMs);
    return change && ("summary" in change ? "loaded" : "rejected");
  }
  assertEquals(await load("[]"), "loaded");
  // Replaced by a file that is written without a pause.
  assertEquals(await load("[", 0), undefined);
  assertEquals(typeof source.rejectedAt, "object");
  assertEquals(await load('[{"name"', 0), undefined);
  assertEquals(await load('[{"name":"a"}]', 0), "loaded");
  assertEquals(source.rejectedAt, undefined);
  // With pauses.
  assertEquals(await load("[", 200), "rejected");
  assertEquals(await load('[{"name"', 200), undefined);
  assertEquals(await load('[{"name":', 0), undefined);
  assertEquals(await load('[{"name":', 2_500), "rejected");
  assertEquals(await load('[{"name":', 2_700), undefined);
  assertEquals(await load('[{"name":"b"}]', 200), "loaded");
  // Read again by a person.
  assertEquals(await load("["), "rejected");
  assertEquals(await load("["), "rejected");
});
