import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { run } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";
import { findPort } from "../../support/port.ts";
import {
  requireProgram,
  runProgram,
  startProgramFor,
} from "../../support/program.ts";
import { list } from "../../support/send.ts";
import { fill } from "./fill.ts";

const UNIT = "plant-store@.service";
const unit = await readFile(join("deploy", UNIT), "utf8");

/** Returns the values of a key of the unit. */
function find(key: string): string[] {
  const lines = unit.matchAll(new RegExp(`^${key}=(.*)$`, "gm"));
  return Array.from(lines, ([, value]) => value!);
}

for (
  const [description, ...args] of [
    ["has no errors or warnings", "verify"],
    // The exposure is 1.1 of 10 with systemd 252; the threshold is in tenths.
    [
      "has an exposure below 2 of 10",
      ...["security", "--offline=yes", "--threshold=20"],
    ],
  ] as const
) {
  test(`systemd: the unit ${description}`, async (t) => {
    requireProgram("systemd-analyze", "systemd");
    const path = join(await makeFolder(t), UNIT);
    const local = fill(unit, {
      "/opt/plant-store": resolve("."),
      "/usr/bin/node": process.execPath,
    });
    await writeFile(path, local);
    const { stderr } = await runProgram("systemd-analyze", [...args, path]);
    assertEquals(stderr, "");
  });
}

test("systemd: the server starts, reloads, and stops with the commands of the unit", async (t) => {
  const folder = join(await makeFolder(t), "etc");
  const init = await run(["init", folder]);
  const env = Object.fromEntries(
    find("Environment").map((pair) =>
      fill(pair, { "/etc/plant-store": folder }).split("=")
    ),
  );
  const port = `${await findPort()}`;
  const command = (key: string) =>
    fill(find(key)[0]!, { "%i": port }).split(" ");
  const [, ...args] = command("ExecStart");
  const server = startProgramFor(t, process.execPath, args, { env });
  const [poll, ...pollArgs] = command("ExecStartPost");
  await runProgram(poll!, pollArgs);

  const listNow = async () =>
    (await list(`http://127.0.0.1:${port}`, init.stdout.trim())).json();
  assertEquals((await listNow()).length, 198);

  await writeFile(env["PLANTS_FILE"]!, '[{"name":"Monstera deliciosa"}]');
  const [kill, signal] = find("ExecReload")[0]!.split(" ");
  await runProgram(kill!, [signal!, `${server.process.pid}`]);
  await server.until("stderr", /plants\.json reloaded/);
  assertEquals(await listNow(), [{ name: "Monstera deliciosa" }]);

  server.kill("SIGTERM");
  assertEquals((await server.ended).status, 0);
});

test("systemd: the server is not restarted after an invalid option", async () => {
  const { status } = await run(["--port", "80x"]);
  assertEquals(find("RestartPreventExitStatus"), [`${status}`]);
});
