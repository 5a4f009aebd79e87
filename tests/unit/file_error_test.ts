import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { formatProblem, StoreFileError } from "../../src/stores/file_error.ts";

const path = "a\nb\u001b\u0085.json";

test("formatProblem() escapes control characters", () => {
  assertEquals(
    formatProblem({ path, line: 1, column: 2, message: "no" }),
    "a\\u000ab\\u001b\\u0085.json:1:2: no",
  );
});

test("StoreFileError describes the first problem", () => {
  const problems = ["no", "not either"].map((message, at) => ({
    path: "a.json",
    line: at + 1,
    column: 1,
    message,
  }));
  const { name, message, more } = new StoreFileError(problems);
  assertEquals([name, message, more], ["StoreFileError", "a.json:1:1: no", 0]);
});
