import { cp, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { test, type TestContext } from "node:test";
import { assertEquals } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { IMPORT_MAP, type Running } from "../../../tools/start_cli.ts";
import { filesIn, makeFolder, replaceFile } from "../../support/files.ts";
import { startProgramFor } from "../../../tools/start_program.ts";
import { list } from "../../../tools/send.ts";

/** Starts the command line with these permissions; the test stops it. */
function start(
  t: TestContext,
  permissions: readonly string[],
  args: readonly string[],
  cwd = ".",
): Running {
  const module = resolve("src/cli/main.ts");
  const options = ["run", "--no-prompt", ...IMPORT_MAP, ...permissions];
  return startProgramFor(t, process.execPath, [...options, module, ...args], {
    cwd,
    env: { PORT: "0" },
  });
}

/** Returns the permissions that a task of deno.json grants. */
const permissionsOf = ({ command }: { readonly command: string }) =>
  command.replaceAll("'", "").split(" ").filter((each) =>
    /^--allow/.test(each)
  );

/** The permissions for an address, a folder, and variables. */
const START = permissionsOf(config.tasks.start);
for (
  const [id, permissions, args, message] of [
    [
      "a variable",
      START.slice(0, 2),
      [],
      'Requires env access to "PLANTS_FILE"; ',
    ],
    [
      "a file outside data",
      START,
      ["--plants", "deno.json"],
      `cannot read "deno.json": Requires read access to "${
        resolve("deno.json")
      }"; `,
    ],
    [
      "another address",
      START,
      ["--host", "0.0.0.0"],
      'cannot listen on 0.0.0.0:0: Requires net access to "0.0.0.0:0"; ',
    ],
  ] as const
) {
  test(`serve names the command that has the permission for ${id}`, async (t) => {
    const { status, stdout, stderr } = await start(t, permissions, args).ended;
    assertEquals([status, stdout], [1, ""]);
    assertEquals(
      stderr,
      `plant-store: ${message}to allow it, run: deno run -NRE src/cli/main.ts\n`,
    );
  });
}

test("deno run -NRE serves any files on any address", async (t) => {
  const folder = await makeFolder(t);
  await cp("data", folder, { recursive: true });
  const { plants, tokens } = filesIn(folder);
  const files = ["--plants", plants, "--tokens", tokens];
  const running = start(t, ["-NRE"], [...files, "--host", "localhost"]);
  const [, url] = await running.until("stdout", /^Listening on (.*)\n/);
  assertEquals((await list(url!)).status, 200);
});

test("serve needs no other permissions than deno task start grants", async (t) => {
  const folder = await makeFolder(t);
  const demo = start(t, START, ["--demo"], folder);
  await demo.until("stdout", /^Listening on /);
  await cp("data", join(folder, "data"), { recursive: true });
  const running = start(t, START, ["--log", "requests"], folder);
  const [, url] = await running.until("stdout", /^Listening on (.*)\n/);
  assertEquals((await list(url!)).status, 200);
  for (const path of ["", "openapi.json", "healthz", "readyz"]) {
    assertEquals((await fetch(url + path)).status, 200);
  }
  const plants = join(folder, "data/plants.json");
  await replaceFile(plants, '[{ "name": "a" }]');
  await running.until("stderr", /plants\.json reloaded/);
  await writeFile(plants, "[");
  await running.until("stderr", /plants\.json:1:2: /);
  running.kill("SIGTERM");
  assertEquals((await running.ended).status, 0);
});
