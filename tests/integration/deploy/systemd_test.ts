import { chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { run } from "../../support/command.ts";
import { makeFolder, replaceFile } from "../../support/files.ts";
import { findPort } from "../../support/port.ts";
import {
  requireProgram,
  runProgram,
  startProgramFor,
} from "../../support/program.ts";
import { list } from "../../support/send.ts";
import { fill } from "./nginx.ts";

const UNIT = "plant-store@.service";
const unit = await readFile(join("deploy", UNIT), "utf8");

/** Returns the values of a key of the unit. */
function find(key: string): string[] {
  const lines = unit.matchAll(new RegExp(`^${key}=(.*)$`, "gm"));
  return Array.from(lines, ([, value]) => value!);
}

test("systemd: the unit has no warnings, and its comment allows another machine", async (t) => {
  requireProgram("systemd-analyze", "systemd");
  const folder = await makeFolder(t);
  const path = join(folder, UNIT);
  const local = fill(unit, {
    "/opt/plant-store": resolve("."),
    "/usr/bin/node": process.execPath,
  });
  await writeFile(path, local);
  const analyze = async (...args: readonly string[]) => {
    const all = [...args, path];
    const { stdout, stderr } = await runProgram("systemd-analyze", all);
    assertEquals(stderr, "");
    return stdout;
  };
  await analyze("verify");
  // The exposure is 1.1 of 10 with systemd 252; the threshold is in tenths.
  const security = ["security", "--offline=yes", "--threshold=20"];
  const remote = /IPAddressDeny=.*non-localhost/;
  assertNotMatch(await analyze(...security), remote);

  const [, comment] = /^# +systemctl edit plant-store@\n((?:#.*\n)+)/m
    .exec(unit)!;
  await mkdir(`${path}.d`);
  const dropIn = comment!.replace(/^# +/gm, "");
  await writeFile(`${path}.d/override.conf`, dropIn);
  assertMatch(await analyze(...security), remote);
});

/**
 * Runs a command like the unit does: as the user nobody, without capabilities, on
 * read-only file systems. Setting this up requires root.
 */
const CONFINE = `set -f
for point in $(cut -d " " -f 5 /proc/self/mountinfo); do
  mount -o remount,bind,ro "$(printf %b "$point")" || exit
done
exec setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --bounding-set=-all -- "$@"`;

test("systemd: the server starts, reloads, and stops with the commands of the unit", async (t) => {
  const cwd = await makeFolder(t);
  await chmod(cwd, 0o755);
  for (const path of ["package.json", "dist", "node_modules/valibot"]) {
    await cp(path, join(cwd, path), { recursive: true });
  }
  const data = join(cwd, "etc");
  const init = await run(["init", data]);
  const env = Object.fromEntries(
    find("Environment").map((pair) =>
      fill(pair, { "/etc/plant-store": data }).split("=")
    ),
  );
  const port = `${await findPort()}`;
  const command = (key: string) =>
    fill(find(key)[0]!, { "%i": port }).split(" ");
  const [, ...args] = command("ExecStart");
  let start = [process.execPath, ...args];
  if (process.getuid!() === 0) {
    requireProgram("unshare", "util-linux");
    const shell = ["sh", "-c", CONFINE, "sh"];
    start = ["unshare", "--mount", "--propagation=private", ...shell, ...start];
  }
  const [program, ...rest] = start;
  const server = startProgramFor(t, program!, rest, { cwd, env });
  const [poll, ...pollArgs] = command("ExecStartPost");
  await runProgram(poll!, pollArgs);

  const listNow = async () =>
    (await list(`http://127.0.0.1:${port}`, init.stdout.trim())).json();
  assertEquals((await listNow()).length, 198);

  await replaceFile(env["PLANTS_FILE"]!, '[{"name":"Monstera deliciosa"}]');
  const [kill, signal] = find("ExecReload")[0]!.split(" ");
  await runProgram(kill!, [signal!, `${server.process.pid}`]);
  await server.until("stderr", /plants\.json reloaded/);
  assertEquals(await listNow(), [{ name: "Monstera deliciosa" }]);

  server.kill("SIGTERM");
  assertEquals((await server.ended).status, 0);
});
