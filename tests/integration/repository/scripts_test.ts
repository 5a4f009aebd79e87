import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import metadata from "../../../package.json" with { type: "json" };

/** What a POSIX shell does with a command, and cmd.exe does not. */
const POSIX_ONLY: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["exec", /(?:^|&& *)exec /],
  ["a variable in front of a command", /(?:^|&& *)[A-Z_]+=/],
  ["a variable", /\$/],
  ["a pattern of file names", /[*?]/],
  ["single quotes", /'/],
  ["a semicolon", /;/],
];

/** Returns what cmd.exe cannot run of a command. */
function findPosix(command: string): string[] {
  return POSIX_ONLY.filter(([, pattern]) => pattern.test(command))
    .map(([name]) => name);
}

for (const [name, command] of Object.entries(metadata.scripts)) {
  test(`cmd.exe can run the script "${name}"`, () => {
    assertEquals(findPosix(command), []);
  });
}

test("what cmd.exe cannot run is found", () => {
  for (
    const command of [
      "exec node main.ts",
      "npm ci && exec node main.ts",
      "PORT=8000 node main.ts",
      "node main.ts --port $PORT",
      "node --test tests/*_test.ts",
      "node -e 'process.exit()'",
      "npm ci; npm test",
    ]
  ) assert(findPosix(command).length > 0, command);
});
