import { once } from "node:events";
import { rm } from "node:fs/promises";
import { connect } from "node:net";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { exchange, openWire } from "../../contract/wire.ts";
import { call } from "../../support/cli.ts";
import { startServer } from "../../../tools/start_cli.ts";
import { replaceFile, writeFiles } from "../../support/files.ts";
import { list } from "../../../tools/send.ts";
import { CLOSING, findReset, openIdleWires } from "../../support/server.ts";
import { until } from "../../../tools/until.ts";

// What docs/operating.md promises about the process.

const GET =
  "GET /plants HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer demo-curator\r\n\r\n";

// Most of these tests wait.
describe("the process", { concurrency: 4 }, () => {
  test("a server that cannot listen says why", async (t) => {
    const { port } = await startServer(t);
    for (
      const [options, message] of [
        [
          ["--port", `${port}`],
          `port ${port} is already in use; choose another with --port`,
        ],
        [
          ["--port", "0", "--host", "203.0.113.1"],
          '"203.0.113.1" is not an address of this machine; choose another with --host',
        ],
        [
          ["--port", "0", "--host", "example.invalid"],
          'cannot resolve host "example.invalid"; choose another with --host',
        ],
      ] as const
    ) {
      const { status, stderr } = await call(options);
      assertEquals([status, stderr], [1, `plant-store: ${message}\n`]);
    }
  });

  test("a server that other machines can reach warns about demo tokens", async (t) => {
    const { tokens } = await writeFiles(t, {});
    const own = { PLANTS_FILE: "data/plants.json", TOKENS_FILE: tokens };
    for (
      const [env, warning] of [
        [
          { HOST: "0.0.0.0" },
          /warning: this server listens on 0\.0\.0\.0 \(HOST\), .* demo tokens/,
        ],
        [
          { PUBLIC_URL: "https://p.example" },
          /warning: this server is at https:\/\/p\.example \(PUBLIC_URL\), /,
        ],
        [{ HOST: "0.0.0.0", ...own }, /^$/],
      ] as const
    ) {
      const server = await startServer(t, [], env);
      server.kill("SIGTERM");
      assertMatch((await server.ended).stderr, warning);
    }
  });

  test("SIGTERM finishes requests and closes other connections", async (t) => {
    // If a connection stayed open, the test would end before the shutdown.
    const options = ["--delay", "600", "--shutdown-timeout", "3600"];
    const server = await startServer(t, options);
    const idle = await openIdleWires(server.port);
    // On Bun, a connection without a complete request stays open until the deadline.
    if ("Bun" in globalThis) { for (const wire of idle) wire.destroy(); }
    const wire = openWire(server.port);
    wire.write(GET);
    await exchange(server.port, CLOSING); // by now, the request has been read
    // Two signals at once, as from a terminal and from `deno task`, count as one.
    server.kill("SIGSTOP");
    server.kill("SIGTERM");
    server.kill("SIGINT");
    server.kill("SIGCONT");
    const { status, stderr } = await server.ended;
    assertEquals([status, stderr], [0, ""]);
    assertMatch(await wire.closed, /^HTTP\/1\.1 200 /);
    for (const wire of idle) wire.destroy();
  });

  test("SIGTERM ends the process after SHUTDOWN_TIMEOUT if clients stay connected", async (t) => {
    // 15 MB do not fit in the buffers of the connection.
    const plants = Array(1_500).fill({ name: "x".repeat(10_000) });
    const files = await writeFiles(t, { plants });
    const server = await startServer(t, [], {
      SHUTDOWN_TIMEOUT: "0.5",
      PLANTS_FILE: files.plants,
      TOKENS_FILE: "data/tokens.json",
    });
    const slow = connect(server.port, "127.0.0.1");
    t.after(() => slow.destroy());
    slow.write(GET.replace("1.1", "1.0"));
    await once(slow, "readable");
    const began = performance.now();
    server.kill("SIGTERM");
    assertEquals((await server.ended).status, 0);
    assert(performance.now() - began >= 500);
    if ("Deno" in globalThis || "Bun" in globalThis) return;
    assertEquals(await findReset(slow), "ECONNRESET");
  });

  test("SHUTDOWN_TIMEOUT starts after SHUTDOWN_DELAY, which a second SIGINT ends", async (t) => {
    const options = ["--shutdown-delay", "3600", "--shutdown-timeout", "0.1"];
    const server = await startServer(t, options);
    server.kill("SIGTERM");
    await until(async () => {
      const ready = await fetch(`${server.url}readyz`);
      await ready.body?.cancel();
      return ready.status === 503;
    });
    const wire = openWire(server.port);
    wire.write(GET);
    // On Deno, the connection stays open.
    await wire.until(/^HTTP\/1\.1 200 [^]*\nconnection: close\r\n/i);
    wire.destroy();
    await delay(600); // an earlier signal counts as the same one
    server.kill("SIGINT");
    assertEquals((await server.ended).status, 130);
  });

  test("a server keeps running if its output is closed", async (t) => {
    const server = await startServer(t, ["--log", "requests"]);
    server.process.stdout!.destroy();
    server.process.stderr!.destroy();
    for (let round = 0; round < 3; round++) {
      const response = await fetch(`${server.url}healthz`);
      assertEquals(await response.json(), { status: "ok" });
    }
  });

  test("a server logs changes of its files and serves the last valid ones", async (t) => {
    const { plants, tokens } = await writeFiles(t, {
      plants: '[{"name": "a"}]',
      tokens: { u: { plants: "all", tokens: ["t"] } },
    });
    const env = { PLANTS_FILE: plants, TOKENS_FILE: tokens };
    const server = await startServer(t, [], env);
    const assertNames = async (expected: string) =>
      assertEquals(await (await list(server.url, "t")).text(), expected);
    await replaceFile(plants, '[\n{"name": "b"},\n{"name": ""}\n]');
    await server.until(
      "stderr",
      /Z .*plants\.json:3:10: name must be .*\n\S+Z still serving the previous content of .*plants\.json\n$/,
    );
    await assertNames('[{"name":"a"}]');
    await replaceFile(plants, '[{"name": "b"}, {"name": "c"}]');
    await server.until(
      "stderr",
      /plants\.json reloaded: 2 plants \(previously 1 plant\)\n$/,
    );
    await rm(plants);
    await server.until(
      "stderr",
      /Z cannot read ".*": file not found\n\S+Z still serving .*\n$/,
    );
    await assertNames('[{"name":"b"},{"name":"c"}]');
  });
});
