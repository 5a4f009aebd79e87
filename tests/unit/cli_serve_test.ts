import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { test } from "node:test";
import { promisify } from "node:util";
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import metadata from "../../package.json" with { type: "json" };
import { openWire } from "../contract/wire.ts";
import { digest } from "../contract/stores.ts";
import { writeFiles } from "../support/files.ts";
import { run, start, startServer } from "../support/command.ts";

const exec = promisify(execFile);

/** Runs a `curl` line as a person pastes it. */
async function paste(line: string): Promise<string> {
  assertMatch(line, /^curl /);
  const { stdout } = await exec("sh", ["-c", line.replace("curl", "curl -sS")]);
  return stdout;
}

test("serve names the file that it can't use and the place, with 1", async (t) => {
  const bad = await writeFiles(t, {
    plants: '[\n  {"name": ""},\n  {"name": "", "x": 1}\n]',
  });
  for (
    const [args, line] of [
      [
        ["--plants", "no/such.json"],
        'plant-store: cannot read "no/such.json": file not found; create it with "plant-store init"',
      ],
      [["--tokens", "data"], 'plant-store: cannot read "data": is a directory'],
      [
        ["--plants", bad.plants],
        `${bad.plants}:2:12: name must be a non-empty string
${bad.plants}:3:12: name must be a non-empty string
${bad.plants}:3:16: unknown property "x"; allowed: name, tag`,
      ],
    ] as const
  ) {
    const { status, stdout, stderr } = await run(args);
    assertEquals(status, 1);
    assertEquals(stdout, "");
    assertEquals(stderr, `${line}\n`);
  }
});

test("serve says that a port is taken, with 1", async (t) => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  t.after(() => other.close());
  const { port } = other.address() as { port: number };
  const { status, stdout, stderr } = await run(["--port", `${port}`]);
  assertEquals(status, 1);
  assertEquals(stdout, "");
  assertEquals(
    stderr,
    `plant-store: port ${port} is already in use; choose another with --port\n`,
  );
});

test("serve says that there is no such address, with 1", async () => {
  const { status, stderr } = await run([
    "--port",
    "0",
    "--host",
    "203.0.113.1",
  ]);
  assertEquals(status, 1);
  assertEquals(
    stderr,
    'plant-store: cannot listen on "203.0.113.1": this machine does not have this address\n',
  );
});

test("--help and --version end with 0", async () => {
  for (
    const args of [["--help"], ["serve", "--help"], ["--port", "x", "--help"]]
  ) {
    const { status, stdout, stderr } = await run(args);
    assertEquals(status, 0);
    assertEquals(stderr, "");
    for (const name of ["--plants", "TOKENS_FILE", "--base-path", "LOG"]) {
      assert(stdout.includes(name), name);
    }
  }
  const { status, stdout } = await run(["--version"]);
  assertEquals(status, 0);
  assertEquals(stdout, `${metadata.version}\n`);
});

test("serve prints its address and a curl line that works as pasted", async (t) => {
  const server = await startServer(t, ["--base-path", "/api"]);
  assertMatch(server.url, /^http:\/\/127\.0\.0\.1:\d+\/api\/$/);
  const [, line] = await server.until("stdout", /\n(curl .*)\n$/);
  assertEquals(JSON.parse(await paste(line!)).length, 3);
});

test("serve prints a curl line that no shell or glob spoils", async (t) => {
  const server = await startServer(t, ["--base-path", "/a$HOME'`[1-2]"]);
  const [, line] = await server.until("stdout", /\n(curl .*)\n$/);
  assertEquals(JSON.parse(await paste(line!)).length, 3);
});

test("serve prints a curl line for every host", async (t) => {
  for (const [host, url] of [["::1", "[::1]"], ["localhost", "localhost"]]) {
    const server = await startServer(t, ["--host", host!]);
    assertEquals(server.url, `http://${url}:${server.port}/`);
    const [, line] = await server.until("stdout", /\n(curl .*)\n$/);
    assertEquals(JSON.parse(await paste(line!)).length, 3);
  }
});

test("serve takes its options from variables, an empty one as unset", async (t) => {
  const files = await writeFiles(t, {
    plants: [{ name: "a" }],
    tokens: { u: { plants: "all", tokens: [{ sha256: digest("t") }] } },
  });
  const server = await startServer(t, [], {
    PLANTS_FILE: files.plants,
    TOKENS_FILE: files.tokens,
    HOST: "",
    PORT: "1",
    BASE_PATH: "/v1",
    CORS: "https://a.example",
    LOG: "requests",
    PUBLIC_URL: "https://plants.example/v2/",
  });
  assertMatch(server.url, /^http:\/\/127\.0\.0\.1:\d+\/v1\/$/);
  const began = Date.now();
  const response = await fetch(`${server.url}plants?limit=9&x=t`, {
    headers: { authorization: "Bearer t", origin: "https://a.example" },
  });
  assertEquals(await response.json(), [{ name: "a" }]);
  assertEquals(
    response.headers.get("access-control-allow-origin"),
    "https://a.example",
  );
  const [line] = await server.until("stderr", /^.+\n$/);
  const { time, milliseconds, requestId, ...rest } = JSON.parse(line);
  assertEquals(rest, {
    method: "GET",
    path: "/v1/plants",
    status: 200,
    user: "u",
    bytes: 14,
  });
  assert(Date.parse(time) >= began && Date.parse(time) <= Date.now());
  assert(milliseconds >= 0);
  assertEquals(response.headers.get("x-request-id"), requestId);
  // No demo token is valid here.
  await server.until(
    "stdout",
    /\ncurl -H "Authorization: Bearer <token>" "https:\/\/plants\.example\/v2\/plants\?limit=3"\n$/,
  );
  const document = await fetch(`${server.url}openapi.json`);
  assertEquals((await document.json()).servers, [
    { url: "https://plants.example/v2" },
  ]);
});

test("serve warns when others may use the demo tokens", async (t) => {
  const open = await startServer(t, ["--host", "0.0.0.0"]);
  await open.until(
    "stderr",
    /^plant-store: warning: 0\.0\.0\.0 .*demo-curator.*\n$/,
  );
  const [, line] = await open.until("stdout", /\n(curl .*)\n$/);
  assertEquals(JSON.parse(await paste(line!)).length, 3);

  const files = await writeFiles(t, {});
  const safe = await startServer(t, [
    "--host",
    "0.0.0.0",
    "--tokens",
    files.tokens,
  ]);
  const local = await startServer(t);
  for (const server of [safe, local]) {
    server.kill("SIGTERM");
    assertEquals((await server.ended).stderr, "");
  }
});

test("serve writes no token to a log", async (t) => {
  const server = await startServer(t, ["--log", "requests"]);
  for (const token of ["demo-curator", "wr0ng-token"]) {
    await fetch(`${server.url}plants?access_token=${token}&limit=${token}`, {
      headers: { authorization: `Bearer ${token}` },
    }).then((response) => response.text());
  }
  server.kill("SIGTERM");
  const { stderr } = await server.ended;
  assertEquals(
    stderr.trim().split("\n").map((line) => JSON.parse(line).status),
    [400, 401],
  );
  assertNotMatch(stderr, /demo-curator|wr0ng/);
});

test("serve goes on when nobody reads what it prints", async (t) => {
  const running = start(["--port", "0", "--log", "requests"]);
  t.after(() => running.kill("SIGKILL"));
  const [, url] = await running.until("stdout", /^Listening on (.*)\n/);
  running.process.stdout!.destroy();
  running.process.stderr!.destroy();
  for (let round = 0; round < 3; round++) {
    assertEquals((await fetch(`${url}healthz`)).status, 200);
  }
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`serve ends at ${signal}: requests under way finish, silent connections don't hold it`, async (t) => {
    const server = await startServer(t);
    const silent = openWire(server.port);
    const partial = openWire(server.port);
    partial.write("GET /plants HTTP/1.1\r\nHos");
    const idle = openWire(server.port);
    idle.write("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n");
    await idle.until(/"ok"\}$/);

    const start = performance.now();
    // Two that come at once, as from a terminal and from npm, are one.
    const other = signal === "SIGTERM" ? "SIGINT" : "SIGTERM";
    server.kill("SIGSTOP");
    server.kill(signal);
    server.kill(other);
    server.kill("SIGCONT");
    const { status, signal: killed, stderr } = await server.ended;
    assertEquals([status, killed, stderr], [0, null, ""]);
    // The deadline for those under way is 10 seconds: none of these is.
    assert(performance.now() - start < 10_000);
    await Promise.all([silent.closed, partial.closed, idle.closed]);
  });
}
