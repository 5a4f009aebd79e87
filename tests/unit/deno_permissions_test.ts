import { spawn } from "node:child_process";
import { cp, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { test, type TestContext } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import type { Option } from "../../src/cli/options.ts";
import { SERVE_OPTIONS } from "../../src/cli/serve_options.ts";
import { type Running, watch } from "../support/command.ts";
import { makeFolder } from "../support/files.ts";

/** Starts the command line with these permissions; the test stops it. */
function start(
  t: TestContext,
  permissions: readonly string[],
  args: readonly string[],
  cwd = ".",
  env: Readonly<Record<string, string>> = {},
): Running {
  const map = process.env["IMPORT_MAP"];
  const running = watch(spawn(
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
      env: { ...process.env, NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    },
  ));
  t.after(async () => {
    running.kill("SIGKILL");
    await running.ended;
  });
  return running;
}

/** The variables of the options. */
const VARIABLES = Object.values<Option<unknown>>(SERVE_OPTIONS)
  .flatMap(({ env }) => env ?? []);

/** The default permissions of the command line: an address, a folder, and variables. */
const GRANTS: readonly (readonly [flag: string, values: readonly string[]])[] =
  [
    ["--allow-net", [SERVE_OPTIONS.host.default!]],
    ["--allow-read", [dirname(SERVE_OPTIONS.plants.default!)]],
    ["--allow-env", [...VARIABLES, "NO_COLOR"]],
  ];

/** Returns the permissions, except for one value. */
function grant(except?: string): string[] {
  return GRANTS.flatMap(([flag, values]) => {
    const granted = values.filter((value) => value !== except);
    return granted.length === 0 ? [] : [`${flag}=${granted}`];
  });
}
const START = grant();

/** The permissions that `deno task start:any` grants. postgres reads PG variables. */
const ANY = [
  "--allow-net",
  "--allow-read",
  `--allow-env=${[...VARIABLES, "NO_COLOR", "PG*"]}`,
];
/** The same for one address. */
const LOCAL = ["--allow-net=127.0.0.1", ...ANY.slice(1)];

test("deno task start grants only what serve needs", () => {
  assertEquals(
    config.tasks.start.command,
    `deno run ${START.join(" ")} src/cli/main.ts`,
  );
  assertEquals(
    config.tasks.dev.command,
    config.tasks.start.command.replace("run", "run --watch"),
  );
});

test("deno task start:any grants all addresses, files, and variables that postgres reads", () => {
  const [net, read, env] = ANY;
  assertEquals(
    config.tasks["start:any"].command,
    `deno run ${net} ${read} '${env}' src/cli/main.ts`,
  );
});

for (const [flag, values] of GRANTS) {
  for (const value of values) {
    // NO_COLOR is needed only on a terminal.
    if (value === "NO_COLOR") continue;
    test(`serve reports that it lacks ${flag}=${value}`, async (t) => {
      const env = { PORT: "0" };
      const { ended } = start(t, grant(value), [], ".", env);
      const { status, stdout, stderr } = await ended;
      assertMatch(stderr, new RegExp(`^(.*${value}.*${flag}.*\\n)+$`));
      assertEquals([status, stdout], [1, ""]);
    });
  }
}

/** A database on a closed port, one on another host, and one on both. */
const NEAR = "postgres://plants:s3cret@127.0.0.1:1/plants";
const FAR = NEAR.replace("127.0.0.1:1", "db.example");
const BOTH = NEAR.replace("127.0.0.1:1", "127.0.0.1:1,db.example");
const LACKS_FAR =
  /^plant-store: cannot connect to "db\.example:5432"; run again with --allow-net=db\.example:5432\n$/;

for (
  const [id, permissions, args, line] of [
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
    [
      "a variable that the package postgres reads",
      START,
      ["--database-url", NEAR],
      /^plant-store: .*"PG[A-Z]+".*--allow-env.*\n$/,
    ],
    ["a database", LOCAL, ["--database-url", FAR], LACKS_FAR],
    [
      "the second host of a database",
      LOCAL,
      ["--database-url", BOTH],
      LACKS_FAR,
    ],
    [
      "a standby",
      LOCAL,
      ["--database-url", NEAR, "--database-read-url", FAR],
      LACKS_FAR,
    ],
  ] as const
) {
  test(`serve reports that it lacks the permission for ${id}`, async (t) => {
    const running = start(t, permissions, args, ".", { PORT: "0" });
    await running.until("stderr", line);
    const { status, stdout } = await running.ended;
    assertEquals([status, stdout], [1, ""]);
  });
}

test("serve can use a database with deno task start:any", async (t) => {
  const running = start(t, ANY, ["--database-url", NEAR], ".", { PORT: "0" });
  await running.until("stderr", /database unavailable: .*ECONNREFUSED/);
  await running.until("stdout", /^Listening on /);
});

test("serve requests only permissions that deno task start grants", async (t) => {
  const folder = await makeFolder(t);
  await cp("data", join(folder, "data"), { recursive: true });
  const audit = join(folder, "audit.jsonl");
  const running = start(t, START, ["--log", "requests"], folder, {
    PORT: "0",
    // Deno logs all requested permissions to this file, granted or not.
    DENO_AUDIT_PERMISSIONS: audit,
  });
  const [, url] = await running.until("stdout", /^Listening on (.*)\n/);
  for (const path of ["", "plants", "openapi.json", "healthz", "readyz"]) {
    const response = await fetch(`${url}${path}`, {
      headers: { authorization: "Bearer demo-curator" },
    });
    await response.body?.cancel();
    assertEquals(response.status, 200);
  }
  const plants = join(folder, "data/plants.json");
  await writeFile(`${plants}.new`, '[{ "name": "a" }]');
  await rename(`${plants}.new`, plants);
  await running.until("stderr", /plants\.json reloaded/);
  await writeFile(plants, "[");
  running.kill("SIGHUP");
  await running.until("stderr", /plants\.json:1:2: /);
  running.kill("SIGTERM");
  assertEquals((await running.ended).status, 0);

  const lines = (await readFile(audit, "utf8")).trim().split("\n");
  const requested = new Map<string, Set<string>>();
  for (const line of lines) {
    const { permission, value } = JSON.parse(line);
    if (permission === "import") continue; // Deno always grants JSR
    const values = requested.get(`--allow-${permission}`) ?? new Set();
    requested.set(`--allow-${permission}`, values.add(value));
  }
  assertEquals(
    new Set(requested.keys()),
    new Set(GRANTS.map(([flag]) => flag)),
  );
  for (const [flag, values] of GRANTS) {
    for (const value of requested.get(flag)!) {
      // A file in the folder, or a port at the address.
      const [name] = value.replace(`${folder}/`, "").split(/[/:]/);
      assert(values.includes(name!), `${flag}=${value}`);
    }
  }
});

test("serve needs no other permissions for the demo data", async (t) => {
  const running = start(t, START, ["--port", "0"], await makeFolder(t));
  await running.until("stderr", /serving demo data/);
});
