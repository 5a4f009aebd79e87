import { test } from "node:test";
import { assertEquals } from "@std/assert";
import metadata from "../../../package.json" with { type: "json" };

/** Syntax of POSIX shells that cmd.exe does not support. */
const POSIX_ONLY = {
  "exec": /(?:^|&& *)exec /,
  "a variable before a command": /(?:^|&& *)[A-Z_]+=/,
  "a variable": /\$/,
  "a file name pattern": /[*?]/,
  "single quotes": /'/,
  "a semicolon": /;/,
};

for (const [name, command] of Object.entries(metadata.scripts)) {
  test(`the script "${name}" runs in cmd.exe`, () => {
    const found = Object.entries(POSIX_ONLY)
      .filter(([, pattern]) => pattern.test(command));
    assertEquals(found, []);
  });
}
