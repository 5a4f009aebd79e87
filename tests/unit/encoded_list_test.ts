import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { encodeList } from "../../src/domain/encoded_list.ts";
import { digest } from "../../src/stores/digest.ts";

for (
  const [title, name, isText] of [
    ["4096 ASCII characters", "a".repeat(4_096 - '[{"name":""}]'.length), true],
    ["4097 ASCII characters", "a".repeat(4_097 - '[{"name":""}]'.length)],
    ["other characters", "é"],
  ] as const
) {
  test(`encodeList() encodes ${title} as ${isText ? "text" : "bytes"}`, async () => {
    const text = JSON.stringify([{ name }]);
    const { body, etag } = await encodeList([{ name }]);
    assertEquals(body, isText ? text : new TextEncoder().encode(text));
    assertEquals(etag, `"${digest(text).slice(0, 32)}"`);
  });
}
