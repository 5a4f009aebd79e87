import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { test, type TestContext } from "node:test";
import { assertEquals } from "@std/assert";
import { run as runCommand } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";
import { findPort } from "./nginx.ts";
import { fill, need, run, startFor } from "./programs.ts";

const UNIT = "plant-store@.service";
const shipped = await readFile(join("deploy", UNIT), "utf8");

/** The values of a key of the unit. */
function values(key: string): string[] {
  const lines = shipped.matchAll(new RegExp(`^${key}=(.*)$`, "gm"));
  return Array.from(lines, ([, value]) => value!);
}

/** The program that a key of the unit runs, and its arguments. */
function command(
  key: string,
  port: number,
): [program: string, args: readonly string[]] {
  const line = fill(values(key)[0]!, "%i", `${port}`);
  const [program = "", ...args] = line.split(" ");
  return [program, args];
}

/** The unit in a folder of the test's own, with the Node of the test and this checkout. */
async function fillUnit(t: TestContext): Promise<string> {
  need("systemd-analyze", "systemd");
  const path = join(await makeFolder(t), UNIT);
  const checkout = fill(shipped, "/opt/plant-store", resolve("."));
  await writeFile(path, fill(checkout, "/usr/bin/node", process.execPath));
  return path;
}

test("systemd: nothing is wrong with the unit", async (t) => {
  const path = await fillUnit(t);
  // It ends with 0 for what it only warns of.
  const { stderr } = await run("systemd-analyze", ["verify", path]);
  assertEquals(stderr, "");
});

test("systemd: the unit is exposed little", async (t) => {
  const path = await fillUnit(t);
  // In tenths: 1.1 of 10 with systemd 252.
  const args = ["security", "--offline=yes", "--threshold=20", path];
  await run("systemd-analyze", args);
});

test("systemd: what the unit starts serves the files of its folder once it has started, and reloads and stops", async (t) => {
  const folder = await makeFolder(t);
  const init = await runCommand(["init", join(folder, "etc")]);
  const token = init.stdout.trim();
  const env = Object.fromEntries(
    values("Environment").map((pair) =>
      fill(pair, "/etc/plant-store", join(folder, "etc")).split("=")
    ),
  );
  const port = await findPort();
  const [, args] = command("ExecStart", port);
  const server = startFor(t, process.execPath, args, { env });
  await run(...command("ExecStartPost", port));

  const list = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/plants`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return await response.json();
  };
  assertEquals((await list()).length, 198);

  await writeFile(env["PLANTS_FILE"]!, '[{"name":"Monstera deliciosa"}]');
  const [kill, signal] = values("ExecReload")[0]!.split(" ");
  await run(kill!, [signal!, `${server.process.pid}`]);
  await server.until("stderr", /plants\.json reloaded/);
  assertEquals(await list(), [{ name: "Monstera deliciosa" }]);

  server.kill("SIGTERM");
  assertEquals((await server.ended).status, 0);
});

test("systemd: a mistake in an option ends with a status that is not tried again", async () => {
  const { status } = await runCommand(["--port", "80x"]);
  assertEquals(values("RestartPreventExitStatus"), [`${status}`]);
});
