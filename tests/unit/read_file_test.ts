import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { explain } from "../../src/stores/read_file.ts";

test("explain() explains a missing permission", () => {
  const explainCode = (code: string) =>
    explain(Object.assign(new Error("the message"), { code }));
  assertEquals(
    ["EACCES", "EPERM", "EROFS", "EMFILE"].map(explainCode),
    [
      ...Array(2).fill("permission denied"),
      "read-only file system",
      "the message",
    ],
  );
});
