import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { StoreFileError } from "../../src/stores/files/file_error.ts";

test("StoreFileError describes the first problem without control characters", () => {
  const problems = ["no", "not either"].map((message) => (
    { path: "a\nb\u001b\u0085.json", line: 1, column: 2, message }
  ));
  const { name, message, more } = new StoreFileError(problems);
  assertEquals(
    [name, message, more],
    ["StoreFileError", "a\\u000ab\\u001b\\u0085.json:1:2: no", 0],
  );
});
