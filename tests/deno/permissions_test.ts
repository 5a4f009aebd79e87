import { execFile } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import config from "../../deno.json" with { type: "json" };

/** Runs the command line with these permissions and arguments, to its end. */
function run(permissions: readonly string[], args: readonly string[]) {
  const map = process.env["IMPORT_MAP"];
  return new Promise<{ status: number; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [
        "run",
        "--no-prompt",
        ...map ? [`--import-map=${map}`] : [],
        ...permissions,
        "src/cli/main.ts",
        ...args,
      ],
      (_error, _stdout, stderr) => resolve({ status: child.exitCode!, stderr }),
    );
  });
}

/** The permissions that `deno task start` gives. */
const START = config.tasks.start.split(" ").filter((word) =>
  word.startsWith("--allow")
);
const VARIABLES = START.find((word) => word.startsWith("--allow-env"))!;

for (
  const [id, permissions, args, line] of [
    [
      "a file outside of data",
      START,
      ["--plants", "deno.json"],
      /^deno\.json: cannot be read: .*--allow-read.*\n$/,
    ],
    [
      "another address",
      START,
      ["--host", "0.0.0.0"],
      /^plant-store: cannot listen on 0\.0\.0\.0:8000: .*--allow-net.*\n$/,
    ],
    ["no variables", ["--allow-read"], [], /^plant-store: .*--allow-env.*\n$/],
    [
      "no files",
      [VARIABLES],
      [],
      /^data\/plants\.json: cannot be read: .*--allow-read.*\n$/,
    ],
  ] as const
) {
  test(`serve names the permission that it lacks: ${id}`, async () => {
    const { status, stderr } = await run(permissions, args);
    assertMatch(stderr, line);
    assertEquals(status, 1);
  });
}
