import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { explainFileError } from "../../../../src/stores/files/read_file.ts";

for (
  const [code, expected] of [
    ["EACCES", "permission denied"],
    ["EPERM", "permission denied"],
    ["EIO", "the message"],
  ] as const
) {
  test(`explainFileError() explains ${code}`, () => {
    const error = Object.assign(new Error("the message"), { code });
    assertEquals(explainFileError(error), expected);
  });
}
