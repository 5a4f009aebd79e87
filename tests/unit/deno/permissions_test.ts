import { cp, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { test, type TestContext } from "node:test";
import { assertEquals } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { IMPORT_MAP, type Running } from "../../support/command.ts";
import { makeFolder, replaceFile } from "../../support/files.ts";
import { startProgramFor } from "../../support/program.ts";
import { list } from "../../support/send.ts";

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
  const [id, permissions, args, line] of [
    ["a variable", START.slice(0, 2), [], /PLANTS_FILE.*--allow-env.*\n/],
    [
      "a file outside data",
      START,
      ["--plants", "deno.json"],
      /^plant-store: cannot read "deno\.json": .*--allow-read.*\n$/,
    ],
    [
      "another address",
      START,
      ["--host", "0.0.0.0"],
      /^plant-store: cannot listen on 0\.0\.0\.0:0: .*--allow-net.*\n$/,
    ],
  ] as const
) {
  test(`serve reports that it lacks the permission for ${id}`, async (t) => {
    const running = start(t, permissions, args);
    await running.until("stderr", line);
    const { status, stdout } = await running.ended;
    assertEquals([status, stdout], [1, ""]);
  });
}

test("serve needs no other permissions than deno task start grants", async (t) => {
  const folder = await makeFolder(t);
  const demo = start(t, START, [], folder);
  await demo.until("stderr", /serving demo data/);
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
