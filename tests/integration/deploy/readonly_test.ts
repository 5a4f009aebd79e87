import {
  chmod,
  chown,
  cp,
  mkdtemp,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { CASES, PLANTS } from "../../contract/cases.ts";
import { asksForPlants } from "../../contract/setups.ts";
import { writeContract } from "../../contract/stores.ts";
import { testContract } from "../../contract/suite.ts";
import { sendOverWire } from "../../contract/wire.ts";
import type { Running } from "../../support/command.ts";
import { need, start } from "./programs.ts";

// The built service without any right: as nobody, without capabilities, where
// every file system is read-only, /tmp and /dev/shm too. It takes root to take
// the rights away.

/** The user and group called nobody. */
const NOBODY = 65_534;

/** Makes every file system read-only for what it runs then as nobody. */
const CONFINE = `set -f
for point in $(cut -d " " -f 5 /proc/self/mountinfo); do
  mount -o remount,bind,ro "$(printf %b "$point")" || exit
done
exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups --no-new-privs --bounding-set=-all -- "$@"`;

/** Starts the service's command line so. */
function startConfined(...args: readonly string[]): Running {
  const command = [process.execPath, "dist/cli.js", ...args];
  return start("unshare", [
    ...["--mount", "--propagation=private"],
    ...["sh", "-c", CONFINE, "sh", ...command],
  ], { cwd: folder, env: { DATABASE_URL: "" } });
}

const isRoot = process.getuid!() === 0;
const options = {
  skip: isRoot ? false : "root is needed: sudo npm test deploy",
};

/** The folder of the service, and the files that it serves, all of them nobody's own. */
let folder: string;
let files: { readonly plants: string; readonly tokens: string };

before(async () => {
  if (!isRoot) return;
  need("unshare", "util-linux");
  need("setpriv", "util-linux");
  folder = await mkdtemp(join(tmpdir(), "plant-store-"));
  await cp("package.json", join(folder, "package.json"));
  for (const path of ["dist", "node_modules/valibot"]) {
    await cp(path, join(folder, path), { recursive: true });
  }
  files = await writeContract(folder);
  for (const path of [folder, files.plants, files.tokens]) {
    await chown(path, NOBODY, NOBODY);
  }
  await chmod(folder, 0o755);
});
after(() => folder && rm(folder, { recursive: true }));

/** Starts the service so, and gives its port; who started it ends it. */
async function serve(): Promise<Running & { readonly port: number }> {
  const { plants, tokens } = files;
  const args = ["--plants", plants, "--tokens", tokens, "--port", "0"];
  const running = startConfined(...args);
  const [, port] = await running.until("stdout", /^Listening on .*:(\d+)\/\n/);
  return { ...running, port: Number(port) };
}

if (isRoot) {
  testContract("dist/cli.js without any right", async () => {
    const running = await serve();
    return {
      send: (request) => sendOverWire(running.port, request),
      async close() {
        running.kill("SIGKILL");
        await running.ended;
      },
    };
  }, {
    // Its set-up is one alone, with a page and a document.
    cases: CASES.filter((each) =>
      (each.setup ?? "open") === "open" && asksForPlants(each)
    ),
  });
}

test(
  "the service runs as nobody, without capabilities, and no mount is writable",
  options,
  async (t) => {
    const { process, kill } = await serve();
    t.after(() => kill("SIGKILL"));
    const read = (name: string) =>
      readFile(`/proc/${process.pid}/${name}`, "utf8");
    const status = await read("status");
    for (
      const [name, value] of [
        ["Uid", `${NOBODY}\t`.repeat(4).trim()],
        ["Gid", `${NOBODY}\t`.repeat(4).trim()],
        ["Groups", ""],
        ["CapPrm", "0000000000000000"],
        ["CapEff", "0000000000000000"],
        ["CapBnd", "0000000000000000"],
        ["NoNewPrivs", "1"],
      ] as const
    ) {
      const [, found] = new RegExp(`^${name}:\\t(.*)$`, "m").exec(status)!;
      assertEquals(found!.trim(), value, name);
    }
    const mounts = (await read("mountinfo")).trim().split("\n")
      .map((line) => line.split(" "));
    // A mount under another one, at the same place, is out of reach.
    const reached = mounts.filter(([id, , , , point]) =>
      !mounts.some(([, parent, , , other]) => parent === id && other === point)
    );
    assert(reached.length > 0);
    for (const [, , , , point, options] of reached) {
      assertMatch(options!, /^ro(?:,|$)/, point);
    }
  },
);

test(
  "the service without any right serves a file that is replaced from outside, and stops",
  options,
  async (t) => {
    const running = await serve();
    t.after(() => running.kill("SIGKILL"));
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
    `${args.slice(0, 2).join(" ")} without any right says what it can't write`,
    options,
    async () => {
      const before = await readFile(files.tokens, "utf8");
      const running = startConfined(...args, "--tokens", files.tokens);
      const { status, stdout, stderr } = await running.ended;
      assertEquals(
        stderr,
        `plant-store: cannot write "${files.tokens}.lock": read-only file system\n`,
      );
      assertEquals([status, stdout], [1, ""]);
      assertEquals(await readFile(files.tokens, "utf8"), before);
    },
  );
}
