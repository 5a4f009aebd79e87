import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { createListResponse } from "../../src/http/list_response.ts";
import {
  createJson,
  toNotModified,
  withHeaders,
} from "../../src/http/response.ts";

const create = withHeaders([]);

test("a body is text if it is ASCII, and bytes otherwise", () => {
  for (
    const [text, isText] of [
      ["a", true],
      ["\x7f", true],
      ["é", false],
      ["\uFFFD", false],
    ] as const
  ) {
    const bytes = new TextEncoder().encode(JSON.stringify(text));
    const list = { body: bytes, byteLength: bytes.length, etag: '""' };
    const expected = isText ? JSON.stringify(text) : bytes;
    assertEquals(createJson(create, 200, text).body, expected);
    assertEquals(createListResponse(create, list).body, expected);
  }
});

test("a list of more than 4 KiB is bytes", () => {
  for (const [length, isText] of [[4_096, true], [4_097, false]] as const) {
    const body = new Uint8Array(length);
    const list = { body, byteLength: length, etag: '""' };
    const response = createListResponse(create, list);
    assertEquals(typeof response.body === "string", isText);
  }
});

for (
  const [own, common, expected] of [
    [[], [], []],
    [["Allow", "GET"], ["Vary", "a"], ["Allow", "GET", "Vary", "a"]],
    [["Vary", "a"], ["ETag", "b"], ["Vary", "a", "ETag", "b"]],
    [
      ["Vary", "a", "ETag", "b"],
      ["Age", "1", "Vary", "c", "Via", "d"],
      ["Vary", "a, c", "ETag", "b", "Age", "1", "Via", "d"],
    ],
  ] as const
) {
  test(`the headers [${own}] and [${common}] are [${expected}]`, () => {
    assertEquals(withHeaders(common)(200, own).headers, expected);
  });
}

test("a 304 has no body and none of the headers that describe it", () => {
  const kept = ["X-Content-Type", "a", "Content-Length-Of", "b", "ETag", '"c"'];
  const headers = ["Content-Type", "d", ...kept, "content-length", "1"];
  assertEquals(toNotModified({ status: 200, headers, body: "e" }), {
    status: 304,
    headers: kept,
  });
});
