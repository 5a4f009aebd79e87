import {
  chmod,
  chown,
  cp,
  readFile,
  rename,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { after, test, type TestContext } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { CASES, PLANTS } from "../../contract/cases.ts";
import { asksForPlants } from "../../contract/setups.ts";
import { writeContract } from "../../contract/stores.ts";
import { testContract } from "../../contract/suite.ts";
import { sendOverWire } from "../../contract/wire.ts";
import type { Running } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";
import { requireProgram, startProgram } from "../../support/program.ts";

// Runs the built server without privileges: as the user nobody, without
// capabilities, on read-only file systems. Setting this up requires root.

/** The user and group nobody. */
const NOBODY = 65_534;

/** Makes every file system read-only and runs a command as nobody. */
const CONFINE = `set -f
for point in $(cut -d " " -f 5 /proc/self/mountinfo); do
  mount -o remount,bind,ro "$(printf %b "$point")" || exit
done
exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups --no-new-privs --bounding-set=-all -- "$@"`;

const isRoot = process.getuid!() === 0;
const options = { skip: !isRoot && "requires root: sudo npm test deploy" };

/** The folder of the server and the files that it serves, owned by nobody. */
const folder = await makeFolder({ after });
await chmod(folder, 0o755);
const files = await writeContract(folder);
if (isRoot) {
  requireProgram("unshare", "util-linux");
  requireProgram("setpriv", "util-linux");
  for (const path of ["package.json", "dist", "node_modules/valibot"]) {
    await cp(path, join(folder, path), { recursive: true });
  }
  for (const path of [folder, files.plants, files.tokens]) {
    await chown(path, NOBODY, NOBODY);
  }
}

/** Starts the command line without privileges. */
function start(...args: readonly string[]): Running {
  const command = [process.execPath, "dist/cli.js", ...args];
  return startProgram("unshare", [
    ...["--mount", "--propagation=private"],
    ...["sh", "-c", CONFINE, "sh", ...command],
  ], { cwd: folder, env: { DATABASE_URL: "" } });
}

/** Starts the server without privileges, on a free port. */
async function startServer(): Promise<Running & { readonly port: number }> {
  const { plants, tokens } = files;
  const running = start("--plants", plants, "--tokens", tokens, "--port", "0");
  const [, port] = await running.until("stdout", /^Listening on .*:(\d+)\/\n/);
  return { ...running, port: Number(port) };
}

async function startServerFor(t: TestContext) {
  const running = await startServer();
  t.after(() => running.kill("SIGKILL"));
  return running;
}

if (isRoot) {
  testContract("dist/cli.js without privileges", async () => {
    const { port, kill, ended } = await startServer();
    return {
      send: (request) => sendOverWire(port, request),
      async close() {
        kill("SIGKILL");
        await ended;
      },
    };
  }, {
    // The command line has the API explorer and the OpenAPI document.
    cases: CASES.filter((each) =>
      (each.setup ?? "open") === "open" && asksForPlants(each)
    ),
  });
}

test(
  "the server runs as nobody, without capabilities or writable mounts",
  options,
  async (t) => {
    const { process } = await startServerFor(t);
    const read = (name: string) =>
      readFile(`/proc/${process.pid}/${name}`, "utf8");
    const status = await read("status");
    for (
      const [name, value] of Object.entries({
        Uid: `${NOBODY}\t`.repeat(4).trim(),
        Gid: `${NOBODY}\t`.repeat(4).trim(),
        Groups: "",
        CapPrm: "0000000000000000",
        CapEff: "0000000000000000",
        CapBnd: "0000000000000000",
        NoNewPrivs: "1",
      })
    ) {
      const [, found] = new RegExp(`^${name}:\\t(.*)$`, "m").exec(status)!;
      assertEquals(found!.trim(), value, name);
    }
    const mounts = (await read("mountinfo")).trim().split("\n")
      .map((line) => line.split(" "));
    // A mount that another one covers cannot be reached.
    const reachable = mounts.filter(([id, , , , point]) =>
      !mounts.some(([, parent, , , other]) => parent === id && other === point)
    );
    assert(reachable.length > 0);
    for (const [, , , , point, options] of reachable) {
      assertMatch(options!, /^ro(?:,|$)/, point);
    }
  },
);

test(
  "the server reloads a file that another process replaces, and stops",
  options,
  async (t) => {
    const running = await startServerFor(t);
    t.after(() => writeContract(folder));
    const list = async () => {
      const { body } = await sendOverWire(running.port, {
        headers: [["Authorization", "Bearer all"]],
      });
      return JSON.parse(body);
    };
    assertEquals(await list(), PLANTS);
    await writeFile(`${files.plants}.new`, '[{"name":"a"}]');
    await rename(`${files.plants}.new`, files.plants);
    await running.until("stderr", /plants\.json reloaded/);
    assertEquals(await list(), [{ name: "a" }]);
    running.kill("SIGTERM");
    assertEquals((await running.ended).status, 0);
  },
);

for (
  const args of [
    ["token", "add", "all"],
    ["token", "revoke", "all", "--all"],
    ["user", "set", "new", "--all"],
  ]
) {
  test(
    `${args.slice(0, 2).join(" ")} reports that it cannot write the file`,
    options,
    async () => {
      const before = await readFile(files.tokens, "utf8");
      const { ended } = start(...args, "--tokens", files.tokens);
      const { status, stdout, stderr } = await ended;
      assertEquals(
        stderr,
        `plant-store: cannot write "${files.tokens}.lock": read-only file system\n`,
      );
      assertEquals([status, stdout], [1, ""]);
      assertEquals(await readFile(files.tokens, "utf8"), before);
    },
  );
}
