import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { explainFileError } from "../../src/stores/files/read_file.ts";

test("explainFileError() explains a missing permission", () => {
  for (
    const [code, expected] of [
      ["EACCES", "permission denied"],
      ["EPERM", "permission denied"],
      ["EROFS", "read-only file system"],
      ["ENOSPC", "no space left"],
      ["ENOTDIR", "a part of the path is not a directory"],
      ["ELOOP", "too many symbolic links"],
      ["EMFILE", "the message"],
    ] as const
  ) {
    const error = Object.assign(new Error("the message"), { code });
    assertEquals(explainFileError(error), expected);
  }
});
