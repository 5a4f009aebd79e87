import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { digest } from "../../contract/stores.ts";
import { openWire } from "../../contract/wire.ts";
import { run, start, startServer } from "../../support/command.ts";
import { writeFiles } from "../../support/files.ts";
import { listen } from "../../support/port.ts";
import { openIdleWires } from "../../support/server.ts";
import { until } from "../../support/until.ts";

const exec = promisify(execFile);

const GET = "GET /plants?limit=1 HTTP/1.1\r\nHost: h\r\n" +
  "Authorization: Bearer demo-curator\r\n\r\n";

/** Runs the `curl` line of a server in a shell; it lists three plants. */
async function assertCurlWorks(
  server: Awaited<ReturnType<typeof startServer>>,
): Promise<void> {
  const [, line] = await server.until("stdout", /\n(curl .*)\n/);
  const command = line!.replace("curl", "curl -sS");
  const { stdout } = await exec("sh", ["-c", command]);
  assertEquals(JSON.parse(stdout).length, 3);
}

// Most of these tests wait, so Node.js runs several of them at a time.
describe("serve", { concurrency: 4 }, () => {
  test("reports why it cannot listen", async (t) => {
    const port = `${await listen(t, createServer())}`;
    for (
      const [option, value, message] of [
        [
          "--port",
          port,
          `port ${port} is already in use; choose another with --port`,
        ],
        [
          "--host",
          "203.0.113.1",
          'cannot listen on "203.0.113.1": this machine does not have this address',
        ],
        [
          "--host",
          "example.invalid",
          'cannot resolve host "example.invalid"',
        ],
      ] as const
    ) {
      const { status, stdout, stderr } = await run([option, value]);
      assertEquals([status, stdout], [1, ""]);
      assertEquals(stderr, `plant-store: ${message}\n`);
    }
  });

  for (
    const [option, value, url] of [
      ["--base-path", "/api", /^http:\/\/127\.0\.0\.1:\d+\/api\/$/],
      ["--base-path", "/a$HOME'`[1-2]", /\/$/],
      ["--host", "::1", /^http:\/\/\[::1\]:\d+\/$/],
      ["--host", "localhost", /^http:\/\/localhost:\d+\/$/],
    ] as const
  ) {
    test(`prints a working curl line with ${option} ${value}`, async (t) => {
      const server = await startServer(t, [option, value]);
      assertMatch(server.url, url);
      await assertCurlWorks(server);
    });
  }

  test("reads options from variables and ignores empty ones", async (t) => {
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
    const response = await fetch(`${server.url}plants?limit=9&x=t`, {
      headers: { authorization: "Bearer t", origin: "https://a.example" },
    });
    assertEquals(await response.json(), [{ name: "a" }]);
    assertEquals(
      response.headers.get("access-control-allow-origin"),
      "https://a.example",
    );
    const [line] = await server.until("stderr", /^.+\n$/);
    const { path, user, requestId } = JSON.parse(line);
    assertEquals([path, user], ["/v1/plants", "u"]);
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

  test("warns only if other machines can use the demo tokens", async (t) => {
    const { tokens } = await writeFiles(t, {});
    const options = ["--host", "0.0.0.0", "--plants", "data/plants.json"];
    const open = await startServer(t, options);
    const safe = await startServer(t, [...options, "--tokens", tokens]);
    const local = await startServer(t);
    const warning = /^plant-store: warning: 0\.0\.0\.0 .*demo-curator.*\n$/;
    await open.until("stderr", warning);
    for (const server of [safe, local]) {
      server.kill("SIGTERM");
      assertEquals((await server.ended).stderr, "");
    }
  });

  test("logs no tokens", async (t) => {
    const server = await startServer(t, ["--log", "requests"]);
    for (const token of ["demo-curator", "wr0ng-token"]) {
      const query = `access_token=${token}&limit=${token}`;
      const response = await fetch(`${server.url}plants?${query}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await response.text();
    }
    server.kill("SIGTERM");
    const { stderr } = await server.ended;
    assertEquals(
      stderr.trim().split("\n").map((line) => JSON.parse(line).status),
      [400, 401],
    );
    assertNotMatch(stderr, /demo-curator|wr0ng/);
  });

  test("keeps running if its output is closed", async (t) => {
    const server = await startServer(t, ["--log", "requests"]);
    server.process.stdout!.destroy();
    server.process.stderr!.destroy();
    for (let round = 0; round < 3; round++) {
      const response = await fetch(`${server.url}healthz`);
      assertEquals(response.status, 200);
    }
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`closes idle connections on ${signal} and exits with status 0`, async (t) => {
      const server = await startServer(t);
      const idle = await openIdleWires(server.port);

      const began = performance.now();
      // Two signals at once, as from a terminal and from npm, count as one.
      const other = signal === "SIGTERM" ? "SIGINT" : "SIGTERM";
      server.kill("SIGSTOP");
      server.kill(signal);
      server.kill(other);
      server.kill("SIGCONT");
      const { status, signal: killed, stderr } = await server.ended;
      assertEquals([status, killed, stderr], [0, null, ""]);
      // The deadline for in-flight requests is 10 seconds.
      assert(performance.now() - began < 10_000);
      await Promise.all(idle.map(({ closed }) => closed));
    });
  }

  test("exits after --drain if clients stay connected", async (t) => {
    // 20 MB does not fit in the buffers of the connection.
    const plants = Array.from({ length: 2_000 }, () => ({
      name: "x".repeat(10_000),
    }));
    const files = await writeFiles(t, { plants });
    const server = await startServer(t, [
      ...["--plants", files.plants],
      ...["--tokens", "data/tokens.json"],
      "--drain=0.5",
    ]);
    const idle = await openIdleWires(server.port);
    const halfOpen = openWire(server.port);
    halfOpen.end();
    const slow = openWire(server.port);
    slow.write(GET.replace("?limit=1", ""));
    await slow.until(/^HTTP/);
    slow.pause();

    const began = performance.now();
    server.kill("SIGTERM");
    const { status, signal } = await server.ended;
    const duration = performance.now() - began;
    assertEquals([status, signal], [0, null]);
    // The default is 10 seconds.
    assert(duration >= 500 && duration < 10_000, `${duration} ms`);
    for (const wire of [...idle, halfOpen, slow]) wire.destroy();
  });

  for (const [signal, status] of [["SIGTERM", 143], ["SIGINT", 130]] as const) {
    test(`responds during --drain-delay, and exits with status ${status} on a later ${signal}`, async (t) => {
      const server = await startServer(t, ["--drain-delay", "60"]);
      server.kill("SIGTERM");
      await until(async () => {
        const ready = await fetch(`${server.url}readyz`);
        await ready.body?.cancel();
        return ready.status === 503;
      });
      const wire = openWire(server.port);
      wire.write(GET);
      const received = await wire.until(/\}\]$/);
      wire.destroy();
      assertMatch(received, /^HTTP\/1\.1 200 /);
      assertNotMatch(received, /connection: close/i);
      await sleep(150); // earlier signals count as the same one
      server.kill(signal);
      assertEquals((await server.ended).status, status);
    });
  }

  for (const kind of ["exception", "rejection"]) {
    test(`logs an uncaught ${kind} on one line and exits with status 1`, async () => {
      const { status, stderr } = await start(
        ["--port", "0", "--log", "off"],
        { CRASH: kind },
        ".",
        "tests/support/crash.ts",
      ).ended;
      assertEquals(status, 1);
      assertMatch(stderr, /^\S+Z fatal: Error: boom at .*crash\.ts:[^\n]*\n$/);
    });
  }
});
