import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { explainFileError } from "../../../../src/stores/files/read_file.ts";

const TOO_MANY =
  'the process has too many open files; raise the limit with "ulimit -n" or LimitNOFILE';

test("explainFileError() explains errors of the system", () => {
  for (
    const [code, expected] of [
      ["EACCES", "permission denied"],
      ["EPERM", "permission denied"],
      ["EROFS", "read-only file system"],
      ["ENOSPC", "no space left"],
      ["ENOTDIR", "a part of the path is not a directory"],
      ["ELOOP", "too many symbolic links"],
      ["EMFILE", TOO_MANY],
      ["ENFILE", "the system has too many open files; raise its limit"],
      ["EIO", "the message"],
    ] as const
  ) {
    const error = Object.assign(new Error("the message"), { code });
    assertEquals(explainFileError(error), expected);
  }
});
