import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { type Running, watch } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";

// Tests deno.json unmodified, with an empty cache, against a JSR registry on
// loopback. The registry serves the installed deno-std, which has no types, with
// the declarations in tools/std.

const LIBRARY = "node_modules/deno-std";
const { version } = JSON.parse(
  await readFile(`${LIBRARY}/package.json`, "utf8"),
);

/** The modules that the packages export. */
const PACKAGES = {
  assert: { ".": "./assert/mod.js" },
  http: { "./etag": "./http/etag.js", "./status": "./http/status.js" },
  text: { "./levenshtein-distance": "./text/levenshtein_distance.js" },
  yaml: { "./parse": "./yaml/parse.js", "./stringify": "./yaml/stringify.js" },
};

/** The files of the library by path; each package contains them all. */
const files = new Map<string, string>();
for (const path of await readdir(LIBRARY, { recursive: true })) {
  if (!path.endsWith(".js")) continue;
  files.set(`/${path}`, await readFile(`${LIBRARY}/${path}`, "utf8"));
}
for (
  const module of [
    "/assert/mod",
    "/http/etag",
    "/http/status",
    "/text/levenshtein_distance",
    "/yaml/parse",
    "/yaml/stringify",
  ]
) {
  const source = files.get(`${module}.js`)!, types = `${module}.d.ts`;
  const pragma = `// @ts-self-types="./${basename(types)}"\n`;
  files.set(`${module}.js`, pragma + source);
  files.set(types, await readFile(`tools/std${types}`, "utf8"));
}

/** The responses of the registry by path. */
const responses = new Map<string, string>();
for (const [name, exports] of Object.entries(PACKAGES)) {
  const base = `/@std/${name}`;
  const manifest: Record<string, unknown> = {};
  for (const [path, text] of files) {
    const digest = createHash("sha256").update(text).digest("hex");
    const size = Buffer.byteLength(text);
    manifest[path] = { size, checksum: `sha256-${digest}` };
    responses.set(`${base}/${version}${path}`, text);
  }
  const meta = { scope: "std", name, versions: { [version]: {} } };
  responses.set(`${base}/meta.json`, JSON.stringify(meta));
  const versionMeta = JSON.stringify({ manifest, exports });
  responses.set(`${base}/${version}_meta.json`, versionMeta);
}

const registry = createServer(({ url }, response) => {
  const body = responses.get(url!);
  response.writeHead(body === undefined ? 404 : 200).end(body);
}).listen(0, "127.0.0.1");
await once(registry, "listening");
after(() => registry.close());

const { port } = registry.address() as AddressInfo;
const env = {
  ...process.env,
  JSR_URL: `http://127.0.0.1:${port}/`,
  DENO_DIR: await makeFolder({ after }),
  IMPORT_MAP: "",
  NO_COLOR: "1",
};

/** Starts Deno in a process group of its own. */
function start(...args: readonly string[]): Running {
  return watch(spawn("npx", ["--yes", "deno@2.9.6", ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  }));
}

test("deno task start answers a request", async (t) => {
  const running = start("task", "start", "--port=0");
  t.after(async () => {
    process.kill(-running.process.pid!, "SIGKILL");
    await running.ended;
  });
  const [, url] = await running.until("stdout", /^Listening on (.*)\n/);
  const { status } = await fetch(`${url}plants`, {
    headers: { authorization: "Bearer demo-curator" },
  });
  assertEquals(status, 200);
});

test("deno task test passes", async () => {
  const { status, stdout, stderr } = await start("task", "test").ended;
  assertEquals(status, 0, `${stderr}${stdout}`);
  assertMatch(stdout, /^ok \| [1-9]\d* passed/m);
});

test("deno task check passes", async () => {
  const { status, stdout, stderr } = await start("task", "check").ended;
  assertEquals(status, 0, `${stderr}${stdout}`);
});

test("deno publish accepts the package", async () => {
  const { status, stdout, stderr } = await start(
    ...["publish", "--dry-run", "--allow-dirty"],
  ).ended;
  assertEquals(status, 0, `${stdout}${stderr}`);
});
