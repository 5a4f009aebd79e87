import { chmod, chown, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { after, describe, test, type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { build } from "esbuild";
import { digest } from "../../contract/stores.ts";
import type { Ended, Running } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";
import { watchLateness } from "../../support/lateness.ts";
import {
  requireProgram,
  startProgram,
  startProgramFor,
} from "../../support/program.ts";
import { until } from "../../support/until.ts";

// Runs every command that changes a file while the system fails, and checks two
// promises: a running server uses the change within a second after it can read
// the file, or the command fails; and nothing that the user wrote is lost.

if (process.getuid!() !== 0) {
  throw new Error("these tests switch users and groups: run them as root");
}
requireProgram("setpriv", "util-linux");
requireProgram("prlimit", "util-linux");

/** The command line in one file that every user can read. */
const shared = await makeFolder({ after });
await chmod(shared, 0o755);
const CLI = join(shared, "cli.mjs");
await build({
  entryPoints: ["src/cli/main.ts"],
  outfile: CLI,
  bundle: true,
  external: ["postgres", "pg"],
  alias: { "plant-store": "./mod.ts" },
  mainFields: ["module", "main"],
  format: "esm",
  platform: "node",
  logLevel: "warning",
});

/** Ends the process before step `STEP` of reading or changing files. */
const KILL = join(shared, "kill.mjs");
await writeFile(
  KILL,
  `
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
let left = Number(process.env.STEP);
function interrupt(object, name) {
  const original = object[name];
  object[name] = function (...args) {
    if (--left === 0) process.kill(process.pid, "SIGKILL");
    return original.apply(this, args);
  };
}
const handle = await files.open("/dev/null");
const prototype = Object.getPrototypeOf(handle);
await handle.close();
for (const name of ["chmod", "chown", "close", "stat", "sync", "writeFile"]) {
  interrupt(prototype, name);
}
for (const name of ["link", "mkdir", "open", "readFile", "realpath", "rename", "rm", "stat", "writeFile"]) {
  interrupt(files, name);
}
syncBuiltinESMExports();
`,
);

/** The user and the groups of a process. */
interface Identity {
  readonly uid: number;
  readonly gid: number;
  /** A supplementary group. */
  readonly group?: number;
}

/** Starts the command line as a user, with limits of prlimit. */
function startAs(
  { uid, gid, group }: Identity,
  args: readonly string[],
  limits: readonly string[] = [],
  preload: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Parameters<typeof startProgram> {
  const groups = group === undefined ? "--clear-groups" : `--groups=${group}`;
  return ["setpriv", [
    ...[`--reuid=${uid}`, `--regid=${gid}`, groups],
    ...["prlimit", ...limits, process.execPath, ...preload, CLI, ...args],
  ], { cwd: "/", env: { DATABASE_URL: "", TOKENS_FILE: "", ...env } }];
}

const ROOT: Identity = { uid: 0, gid: 0 };
/** A user whose supplementary group can change the files. */
const ADMIN: Identity = { uid: 4001, gid: 4001, group: 4242 };

/** The access that the user `florist` has before a command runs. */
const TEXT = `{
  "florist": {
    "plants": "all",
    "tokens": [{ "sha256": "${digest("t")}" }, { "sha256": "${digest("u")}" }]
  },
  "curator": { "plants": { "tags": [ ] }, "tokens": [ {"sha256": "${
  digest("kept")
}"} ] }
}
`;
const KEPT = TEXT.slice(TEXT.indexOf('"curator"'), TEXT.lastIndexOf("\n}"));

interface Service {
  readonly url: string;
  readonly running: Running;
}

/** Returns the status and the body of the plants for a token. */
async function request({ url }: Service, token: string): Promise<string> {
  const response = await fetch(`${url}plants`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return `${response.status} ${await response.text()}`;
}

/** The commands that change a tokens file, and what a server returns afterwards. */
const COMMANDS: Readonly<
  Record<
    string,
    (service: Service, stdout: string, token: string) => Promise<boolean>
  >
> = {
  "token revoke florist --all": async (service) =>
    (await request(service, "t")).startsWith("401"),
  "user remove florist": async (service) =>
    (await request(service, "t")).startsWith("401"),
  "user set florist --none": async (service) =>
    await request(service, "t") === "200 []",
  "token add florist": async (service, stdout) =>
    (await request(service, stdout.trim())).startsWith("200"),
};

/** A fault, and the users who are involved. */
interface Fault {
  /** The mode, owner, and group of the folder and of the files. */
  readonly folder: readonly [mode: number, uid: number, gid: number];
  readonly file: readonly [mode: number, uid: number, gid: number];
  readonly server: Identity;
  readonly admin: Identity;
  /** The limits of the command. */
  readonly limits?: readonly string[];
  /** What the command prints if it must fail. */
  readonly error?: RegExp;
  /** Breaks something, and returns a function that repairs it. */
  inject?(tokens: string, service: Service): Promise<() => unknown>;
}

const PLAIN = {
  folder: [0o755, 0, 0],
  file: [0o644, 0, 0],
  server: { uid: 4243, gid: 4243 },
  admin: ROOT,
} as const;
const GROUP = { uid: 4243, gid: 4242 };

/** Limits the descriptors of a server with the identity of `PLAIN`. */
async function limitDescriptors(running: Running, soft: string) {
  const { uid, gid } = PLAIN.server;
  const { stderr } = await startProgram("setpriv", [
    ...[`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "prlimit"],
    ...[`--pid=${running.process.pid}`, `--nofile=${soft}:`],
  ]).ended;
  assertEquals(stderr, "");
}

const FAULTS: Readonly<Record<string, Fault>> = {
  "without a fault": PLAIN,
  "in a folder that a group shares": {
    folder: [0o770, 0, 4242],
    file: [0o660, 0, 4242],
    server: GROUP,
    admin: ADMIN,
  },
  "on a private file that belongs to the server": {
    ...PLAIN,
    folder: [0o700, 4243, 4243],
    file: [0o600, 4243, 4243],
  },
  "on a file whose owner might not be in the group": {
    folder: [0o770, 4243, 4242],
    file: [0o640, 4243, 4242],
    server: { uid: 4243, gid: 4243 },
    admin: ADMIN,
    error:
      /cannot keep the owner \(user 4243\) of ".*", so the owner might lose access/,
  },
  "on a file with a group that the user can't set": {
    folder: [0o755, 4001, 4001],
    file: [0o640, 4001, 4300],
    server: { uid: 4243, gid: 4300 },
    admin: ADMIN,
    error:
      /cannot keep the group \(4300\) of ".*", so the group might lose access/,
  },
  "on a file of another group that everyone can read": {
    folder: [0o755, 4001, 4001],
    file: [0o644, 4001, 4300],
    server: { uid: 4243, gid: 4300 },
    admin: ADMIN,
  },
  "in a folder that the user can't write": {
    ...PLAIN,
    admin: ADMIN,
    error: /cannot write ".*\.lock": permission denied/,
  },
  "without space": {
    ...PLAIN,
    limits: ["--fsize=100"],
    error: /cannot write ".*": EFBIG/,
  },
  "while another command holds the lock": {
    ...PLAIN,
    async inject(tokens) {
      await writeFile(`${tokens}.lock`, "");
      const removed = setTimeout(1_000).then(() => rm(`${tokens}.lock`));
      return () => removed;
    },
  },
  "while an old lock exists": {
    ...PLAIN,
    error: /was left behind by an edit that did not finish; delete it/,
    async inject(tokens) {
      await writeFile(`${tokens}.lock`, "");
      await utimes(`${tokens}.lock`, 1, 1);
      return () => rm(`${tokens}.lock`);
    },
  },
  "while the server has no descriptors": {
    ...PLAIN,
    async inject(_tokens, { running }) {
      await limitDescriptors(running, "1");
      return async () => {
        await setTimeout(700); // the server has noticed the change
        await limitDescriptors(running, "1024");
      };
    },
  },
  "while the server can't read the file": {
    ...PLAIN,
    async inject(tokens) {
      const folder = join(tokens, "..");
      await chmod(folder, 0o700);
      return async () => {
        await setTimeout(700);
        await chmod(folder, 0o755);
      };
    },
  },
  "while the server is stopped": {
    ...PLAIN,
    inject(_tokens, { running }) {
      running.kill("SIGSTOP");
      return Promise.resolve(() => running.kill("SIGCONT"));
    },
  },
};

/** Creates the files and starts a server. */
async function prepare(t: TestContext, fault: Fault) {
  const parent = await makeFolder(t);
  await chmod(parent, 0o755);
  const folder = join(parent, "data");
  await mkdir(folder);
  const plants = join(folder, "plants.json");
  const tokens = join(folder, "tokens.json");
  await writeFile(plants, '[{"name": "a"}]');
  await writeFile(tokens, TEXT);
  const [mode, uid, gid] = fault.file;
  for (const path of [plants, tokens]) {
    await chown(path, uid, gid);
    await chmod(path, mode);
  }
  await chown(folder, fault.folder[1], fault.folder[2]);
  await chmod(folder, fault.folder[0]);
  const args = ["--port", "0", "--plants", plants, "--tokens", tokens];
  const running = startProgramFor(t, ...startAs(fault.server, args));
  const [, url] = await running.until("stdout", /^Listening on (.*)\n/);
  const service: Service = { url: url!, running };
  assertEquals(await request(service, "t"), '200 [{"name":"a"}]');
  return { folder, tokens, service };
}

/** Checks that a command failed with one line and changed nothing. */
async function checkFailed(ended: Ended, tokens: string, error: RegExp) {
  assertEquals([ended.status, ended.stdout], [1, ""], ended.stderr);
  assertMatch(ended.stderr, error);
  assertEquals(ended.stderr.split("\n").length, 2);
  assertEquals(await readFile(tokens, "utf8"), TEXT);
}

const allow = watchLateness();

for (const [name, fault] of Object.entries(FAULTS)) {
  describe(`a command ${name}`, { concurrency: 2 }, () => {
    for (const [command, isDone] of Object.entries(COMMANDS)) {
      const expected = fault.error ? "fails and changes nothing" : "works";
      test(`${command} ${expected}`, async (t) => {
        const { folder, tokens, service } = await prepare(t, fault);
        const repair = await fault.inject?.(tokens, service);
        const args = [...command.split(" "), "--tokens", tokens];
        const ended = await startProgram(
          ...startAs(fault.admin, args, fault.limits),
        ).ended;
        await repair?.();
        if (fault.error) {
          await checkFailed(ended, tokens, fault.error);
        } else {
          assertEquals(ended.status, 0, ended.stderr);
          const start = performance.now();
          await until(() => isDone(service, ended.stdout, "t"));
          const took = performance.now() - start;
          assert(took < allow(1_000), `took ${took} ms`);
        }
        assert((await readFile(tokens, "utf8")).includes(KEPT));
        assert((await request(service, "kept")).startsWith("200"));
        const files = (await readdir(folder)).sort();
        assertEquals(files, ["plants.json", "tokens.json"]);
        await until(async () => {
          const readiness = await fetch(`${service.url}readyz`);
          return !("rejected" in await readiness.json());
        });
      });
    }
  });
}

test("/readyz reports a file that can't be read until it can", async (t) => {
  const { tokens, service } = await prepare(t, PLAIN);
  const isRejected = async () =>
    "rejected" in await (await fetch(`${service.url}readyz`)).json();
  await request(service, "t"); // opens the connection
  await limitDescriptors(service.running, "1");
  await writeFile(tokens, TEXT.replace(digest("t"), digest("new")));
  await service.running.until("stderr", /EMFILE/);
  assert(await isRejected());
  await limitDescriptors(service.running, "1024");
  await until(async () => !await isRejected());
  assert((await request(service, "t")).startsWith("401"));
});

for (const command of Object.keys(COMMANDS)) {
  test(`${command}: a kill at any step keeps the old or the new file`, async (t) => {
    const { tokens } = await prepare(t, PLAIN);
    const args = [...command.split(" "), "--tokens", tokens];
    let killed = 0, changed = 0;
    for (let step = 1; step < 100; step++) {
      await writeFile(tokens, TEXT);
      const env = { STEP: `${step}` };
      const { status } = await startProgram(
        ...startAs(ROOT, args, [], ["--import", KILL], env),
      ).ended;
      const text = await readFile(tokens, "utf8");
      assert(text.includes(KEPT));
      JSON.parse(text);
      await rm(`${tokens}.lock`, { force: true }); // as the message says
      if (status === 0) {
        assert(text !== TEXT && killed >= 8, `${killed}`);
        return;
      }
      killed++;
      if (text !== TEXT) changed++;
      assert(changed <= 1); // only the last step can follow the replacement
    }
    throw new Error("the command never ended");
  });
}

for (
  const [name, limits] of [
    ["without space for the first file", "--fsize=100"],
    ["without space for one of the files", "--fsize=3000"],
  ] as const
) {
  test(`init ${name} leaves no file, and succeeds later`, async (t) => {
    const folder = join(await makeFolder(t), "data");
    const init = (...limits: string[]) =>
      startProgram(...startAs(ROOT, ["init", folder], limits)).ended;
    const failed = await init(limits);
    assertEquals([failed.status, failed.stdout], [1, ""]);
    assertMatch(failed.stderr, /^plant-store: cannot write ".*": EFBIG.*\n$/);
    assertEquals(await readdir(folder), []);
    assertEquals((await init()).status, 0);
    const files = await readdir(folder);
    assert(files.includes("plants.json") && files.includes("tokens.json"));
  });
}
