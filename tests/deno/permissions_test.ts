import { spawn } from "node:child_process";
import { resolve } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { type Running, watch } from "../cli/command.ts";
import { makeFolder } from "../files.ts";

/** Starts the command line with these permissions and arguments, in a folder. */
function start(
  permissions: readonly string[],
  args: readonly string[],
  cwd = ".",
): Running {
  const map = process.env["IMPORT_MAP"];
  return watch(spawn(
    process.execPath,
    [
      "run",
      "--no-prompt",
      ...map ? [`--import-map=${resolve(map)}`] : [],
      ...permissions,
      resolve("src/cli/main.ts"),
      ...args,
    ],
    {
      cwd,
      env: { ...process.env, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    },
  ));
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
    const { status, stderr } = await start(permissions, args).ended;
    assertMatch(stderr, line);
    assertEquals(status, 1);
  });
}

test("serve needs no more for the demo data", async (t) => {
  const running = start(START, ["--port", "0"], await makeFolder(t));
  t.after(async () => {
    running.kill("SIGKILL");
    await running.ended;
  });
  await running.until("stderr", /built-in demo data/);
});
