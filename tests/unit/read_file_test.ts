import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { explain } from "../../src/stores/read_file.ts";

for (
  const [code, expected] of [
    ["ENOENT", "file not found"],
    ["EISDIR", "is a directory"],
    ["EACCES", "permission denied"],
    ["EPERM", "permission denied"],
    ["EROFS", "read-only file system"],
    ["EMFILE", "the message"],
  ] as const
) {
  test(`explain() explains ${code}`, () => {
    const error = Object.assign(new Error("the message"), { code });
    assertEquals(explain(error), expected);
  });
}
