import { chmod, chown, readdir, readFile, rm } from "node:fs/promises";
import { utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { after, describe, test, type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { build } from "esbuild";
import { digest } from "../../contract/stores.ts";
import type { Ended, Running } from "../../support/command.ts";
import { makeFolder, writeFiles } from "../../support/files.ts";
import { watchLateness } from "../../support/lateness.ts";
import {
  requireProgram,
  runProgram,
  startProgram,
  startProgramFor,
} from "../../support/program.ts";
import { list } from "../../support/send.ts";
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
const handle = await files.open("/dev/null");
const prototype = Object.getPrototypeOf(handle);
await handle.close();
for (const object of [files, prototype]) {
  const properties = Object.getOwnPropertyDescriptors(object);
  for (const [name, { value }] of Object.entries(properties)) {
    if (typeof value !== "function" || name === "constructor") continue;
    object[name] = function (...args) {
      if (--left === 0) process.kill(process.pid, "SIGKILL");
      return value.apply(this, args);
    };
  }
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

/** The arguments that start a program as a user. */
function asUser(
  { uid, gid, group }: Identity,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Parameters<typeof startProgram> {
  const groups = group === undefined ? "--clear-groups" : `--groups=${group}`;
  return [
    "setpriv",
    [`--reuid=${uid}`, `--regid=${gid}`, groups, ...command],
    { cwd: "/", env: { DATABASE_URL: "", TOKENS_FILE: "", ...env } },
  ];
}

const ROOT: Identity = { uid: 0, gid: 0 };
const SERVER: Identity = { uid: 4243, gid: 4243 };
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
  /** The path of the tokens file. */
  readonly tokens: string;
}

/** Returns the status and the body of the plants for a token. */
async function request({ url }: Service, token: string): Promise<string> {
  const response = await list(url, token);
  return `${response.status} ${await response.text()}`;
}

/** Returns whether /readyz reports a file that the server can't use. */
async function isRejected({ url }: Service): Promise<boolean> {
  return "rejected" in await (await fetch(`${url}readyz`)).json();
}

/**
 * The commands that change a tokens file, and the response afterward to the token
 * that the command prints, or else to one that the florist had before.
 */
const COMMANDS = {
  "token revoke florist --all": /^401/,
  "user remove florist": /^401/,
  "user set florist --none": /^200 \[\]$/,
  "token add florist": /^200 \[.+\]$/,
};

/** A fault, and the users who are involved. */
interface Fault {
  /** The mode, owner, and group of the folder and of the files. */
  readonly folder: readonly [mode: number, uid: number, gid: number];
  readonly file: readonly [mode: number, uid: number, gid: number];
  readonly server: Identity;
  readonly admin: Identity;
  /** A limit of the command, which is an option of prlimit. */
  readonly limit?: string;
  /** What the command prints if it must fail. */
  readonly error?: RegExp;
  /** Breaks something, and returns a function that repairs it. */
  inject?(service: Service): Promise<() => unknown>;
}

const PLAIN = {
  folder: [0o755, 0, 0],
  file: [0o644, 0, 0],
  server: SERVER,
  admin: ROOT,
} as const;

/** Limits the descriptors of a server with the identity of `PLAIN`. */
function limitDescriptors({ running }: Service, soft: string) {
  const pid = `--pid=${running.process.pid}`;
  return runProgram(...asUser(SERVER, ["prlimit", pid, `--nofile=${soft}:`]));
}

const FAULTS: Readonly<Record<string, Fault>> = {
  "without a fault": PLAIN,
  "in a folder that a group shares": {
    folder: [0o770, 0, 4242],
    file: [0o660, 0, 4242],
    server: { uid: 4243, gid: 4242 },
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
    server: SERVER,
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
    limit: "--fsize=100",
    error: /cannot write ".*": EFBIG/,
  },
  "while another command holds the lock": {
    ...PLAIN,
    async inject({ tokens }) {
      await writeFile(`${tokens}.lock`, "");
      const removed = setTimeout(1_000).then(() => rm(`${tokens}.lock`));
      return () => removed;
    },
  },
  "while an old lock exists": {
    ...PLAIN,
    error: /was left behind by an edit that did not finish; delete it/,
    async inject({ tokens }) {
      await writeFile(`${tokens}.lock`, "");
      await utimes(`${tokens}.lock`, 1, 1);
      return () => rm(`${tokens}.lock`);
    },
  },
  "while the server has no descriptors": {
    ...PLAIN,
    async inject(service) {
      await limitDescriptors(service, "1");
      return async () => {
        await service.running.until("stderr", /EMFILE/);
        assert(await isRejected(service));
        await limitDescriptors(service, "1024");
      };
    },
  },
  "while the server can't read the file": {
    ...PLAIN,
    async inject({ tokens, running }) {
      await chmod(dirname(tokens), 0o700);
      return async () => {
        await running.until("stderr", /permission denied/);
        await chmod(dirname(tokens), 0o755);
      };
    },
  },
  "while the server is stopped": {
    ...PLAIN,
    inject({ running }) {
      running.kill("SIGSTOP");
      return Promise.resolve(() => running.kill("SIGCONT"));
    },
  },
};

/** Creates the files and starts a server. */
async function startService(t: TestContext, fault: Fault): Promise<Service> {
  const content = { plants: [{ name: "a" }], tokens: TEXT };
  const { plants, tokens } = await writeFiles(t, content);
  for (
    const [path, [mode, uid, gid]] of [
      [plants, fault.file],
      [tokens, fault.file],
      [dirname(tokens), fault.folder],
    ] as const
  ) {
    await chown(path, uid, gid);
    await chmod(path, mode);
  }
  const options = ["--port", "0", "--plants", plants, "--tokens", tokens];
  const command = [process.execPath, CLI, ...options];
  const running = startProgramFor(t, ...asUser(fault.server, command));
  const [, url] = await running.until("stdout", /^Listening on (.*)\n/);
  const service: Service = { url: url!, running, tokens };
  assertEquals(await request(service, "t"), '200 [{"name":"a"}]');
  return service;
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
    for (const [command, expected] of Object.entries(COMMANDS)) {
      const outcome = fault.error ? "fails and changes nothing" : "works";
      test(`${command} ${outcome}`, async (t) => {
        const service = await startService(t, fault);
        const { tokens } = service;
        const repair = await fault.inject?.(service);
        const limits = fault.limit === undefined ? [] : [fault.limit];
        const ended = await startProgram(...asUser(fault.admin, [
          ...["prlimit", ...limits, process.execPath, CLI],
          ...[...command.split(" "), "--tokens", tokens],
        ])).ended;
        await repair?.();
        if (fault.error) {
          await checkFailed(ended, tokens, fault.error);
        } else {
          assertEquals(ended.status, 0, ended.stderr);
          const token = ended.stdout.trim() || "t";
          const start = performance.now();
          await until(async () => expected.test(await request(service, token)));
          const took = performance.now() - start;
          assert(took < allow(1_000), `took ${took} ms`);
        }
        assert((await readFile(tokens, "utf8")).includes(KEPT));
        assertMatch(await request(service, "kept"), /^200/);
        const files = (await readdir(dirname(tokens))).sort();
        assertEquals(files, ["plants.json", "tokens.json"]);
        await until(async () => !await isRejected(service));
      });
    }
  });
}

// All commands replace the file with the same function.
test("a command that is killed at any step keeps the old or the new file", async (t) => {
  const { tokens } = await writeFiles(t, { tokens: TEXT });
  const command = ["token", "add", "florist", "--tokens", tokens];
  let killed = 0, changed = 0;
  for (let step = 1; step < 100; step++) {
    await writeFile(tokens, TEXT);
    const node = [process.execPath, "--import", KILL, CLI, ...command];
    const env = { STEP: `${step}` };
    const { status } = await startProgram(...asUser(ROOT, node, env)).ended;
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

for (
  const [name, limit] of [
    ["without space for the first file", "--fsize=100"],
    ["without space for one of the files", "--fsize=3000"],
  ] as const
) {
  test(`init ${name} leaves no file, and succeeds later`, async (t) => {
    const folder = join(await makeFolder(t), "data");
    const init = (...limits: string[]) => {
      const command = [process.execPath, CLI, "init", folder];
      return startProgram("prlimit", [...limits, ...command]).ended;
    };
    const failed = await init(limit);
    assertEquals([failed.status, failed.stdout], [1, ""]);
    assertMatch(failed.stderr, /^plant-store: cannot write ".*": EFBIG.*\n$/);
    assertEquals(await readdir(folder), []);
    assertEquals((await init()).status, 0);
    const files = await readdir(folder);
    assert(files.includes("plants.json") && files.includes("tokens.json"));
  });
}
