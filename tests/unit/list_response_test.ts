import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { createListResponse } from "../../src/http/list_response.ts";
import { withHeaders } from "../../src/http/response.ts";

test("a list is text if it is ASCII and has at most 4 KiB", () => {
  const ascii = "a".repeat(4_096);
  for (const text of [ascii, `${ascii}a`, "é"]) {
    const body = new TextEncoder().encode(text);
    const list = { body, byteLength: body.length, etag: '""' };
    const response = createListResponse(withHeaders([]), list);
    assertEquals(response.body, text === ascii ? text : body);
  }
});
