import { Agent } from "node:http";
import { connect } from "node:http2";
import { setTimeout as wait } from "node:timers/promises";
import { test, type TestContext } from "node:test";
import { gunzipSync } from "node:zlib";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { startServer } from "../cli/command.ts";
import { openWire } from "../contract/wire.ts";
import { findPort, NAME, type Proxy, startNginx } from "./nginx.ts";

const CURATOR = { authorization: "Bearer demo-curator" };

/** Starts two instances with these arguments, and nginx in front of them. */
async function startAll(
  t: TestContext,
  args: readonly string[] = [],
  rate?: string,
): Promise<Proxy> {
  const first = await startServer(t, args);
  const second = await startServer(t, args);
  return await startNginx(t, [first.port, second.port], rate);
}

function parse(body: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(body));
}

test("nginx hands requests on, over http and https", async (t) => {
  const { ask, askSecurely } = await startAll(t);
  for (const send of [ask, askSecurely]) {
    const { status, headers, body } = await send("/plants?limit=2", {
      headers: CURATOR,
    });
    assertEquals(status, 200);
    assertEquals((parse(body) as unknown[]).length, 2);
    assertEquals(headers.get("server"), "nginx");
    assertEquals(headers.get("cache-control"), "private, no-cache");

    const refused = await send("/plants", {
      headers: { authorization: "Bearer wrong" },
    });
    assertEquals(refused.status, 401);
    assertEquals(
      refused.headers.get("www-authenticate"),
      'Bearer realm="plant-store", error="invalid_token"',
    );
    assertEquals(parse(refused.body), {
      error: 401,
      message: (parse(refused.body) as { message: string }).message,
    });
  }
});

test("nginx hands the target on as it came", async (t) => {
  const { ask } = await startAll(t);
  for (
    const [target, expected] of [
      ["/%70lants", 200],
      ["//plants", 404],
      ["/x%2F..%2Fplants", 404],
      ["/plants/", 404],
    ] as const
  ) {
    const { status } = await ask(target, { headers: CURATOR });
    assertEquals(status, expected, target);
  }
});

test("nginx compresses, and a tag made weak gives 304 still", async (t) => {
  const { ask } = await startAll(t);
  const plain = await ask("/plants", { headers: CURATOR });
  assertEquals(plain.headers.get("content-encoding"), null);
  const strong = plain.headers.get("etag")!;
  assertMatch(strong, /^"/);

  const zipped = { ...CURATOR, "accept-encoding": "gzip" };
  const { headers, body } = await ask("/plants", { headers: zipped });
  assertEquals(headers.get("content-encoding"), "gzip");
  assertEquals(gunzipSync(body), Buffer.from(plain.body));
  assert(body.length < plain.body.length / 2, `${body.length} bytes`);
  assertEquals(headers.get("etag"), `W/${strong}`);
  assertEquals(
    headers.get("vary")!.split(", ").sort(),
    ["Accept-Encoding", "Authorization"],
  );

  for (const tag of [strong, `W/${strong}`]) {
    const again = await ask("/plants", {
      headers: { ...zipped, "if-none-match": tag },
    });
    assertEquals([again.status, again.body.length], [304, 0]);
  }
});

test("nginx hands Host on, which the document's server is made of", async (t) => {
  const { ask } = await startAll(t);
  for (const host of [NAME, `${NAME}:8080`]) {
    const { body } = await ask("/openapi.json", { headers: { host } });
    const { servers } = parse(body) as { servers: unknown };
    assertEquals(servers, [{ url: `http://${host}` }]);
  }
});

test("--public-url is the document's server behind nginx, over HTTP/2 too", async (t) => {
  const url = `https://${NAME}`;
  const proxy = await startAll(t, ["--public-url", url]);
  const { body } = await proxy.askSecurely("/openapi.json");
  assertEquals((parse(body) as { servers: unknown }).servers, [{ url }]);

  const session = connect(`https://127.0.0.1:${proxy.securePort}`, {
    ca: proxy.ca,
    servername: NAME,
  });
  t.after(() => session.close());
  const stream = session.request({ ":path": "/plants?limit=1", ...CURATOR });
  const status = new Promise((resolve) => {
    stream.once("response", (headers) => resolve(headers[":status"]));
  });
  let text = "";
  for await (const chunk of stream) text += chunk;
  assertEquals(await status, 200);
  assertEquals(JSON.parse(text).length, 1);
});

test("nginx answers too many requests with 429 and an Error body", async (t) => {
  const { ask } = await startAll(t);
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => ask("/healthz")),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  // The burst, and what the rate adds while the requests come in.
  const served = answers.length - refused.length;
  assert(served >= 41 && served < 80, `${served} were served`);
  for (const { status, headers, body } of refused) {
    assertEquals(status, 429);
    assertEquals(headers.get("content-type"), "application/json");
    assertEquals(headers.get("retry-after"), "1");
    assertEquals(headers.get("access-control-allow-origin"), "*");
    assertEquals(parse(body), {
      error: 429,
      message: "Too many requests: wait a second",
    });
  }
  await wait(500);
  assertEquals((await ask("/healthz")).status, 200);
});

test("nginx cuts slow headers and slow bodies", async (t) => {
  const { port } = await startAll(t);
  const head = "GET /healthz HTTP/1.1\r\nHost: h\r\n";
  const start = performance.now();
  const silent = openWire(port);
  const trickled = openWire(port);
  trickled.write(head);
  const trickle = setInterval(() => trickled.write("X: y\r\n"), 500);
  const stalled = openWire(port);
  stalled.write(`${head}Content-Length: 9\r\n\r\n`);
  const wires = [silent, trickled, stalled];
  const answers = await Promise.all(wires.map(({ closed }) => closed));
  clearInterval(trickle);
  const seconds = (performance.now() - start) / 1_000;
  assert(seconds > 9 && seconds < 15, `${seconds} s`);
  assertEquals(answers[0], "");
  assertEquals(answers[1], "");
  assertMatch(answers[2]!, /^(?:HTTP\/1\.1 408 .*)?/);
});

test("fifty restarts of instances under load lose no request", async (t) => {
  const ports = [await findPort(), await findPort()] as const;
  const start = (port: number) =>
    startServer(t, ["--port", `${port}`, "--log", "requests"]);
  const instances = [await start(ports[0]), await start(ports[1])];
  const { ask } = await startNginx(t, ports, "100000r/s");

  let isLoaded = true;
  const counts: Record<string, number> = {};
  const agent = new Agent({ keepAlive: true });
  async function load(): Promise<void> {
    while (isLoaded) {
      const outcome = await ask("/plants?limit=9", { headers: CURATOR, agent })
        .then(({ status }) => status, ({ message }) => message);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
  }
  const clients = Array.from({ length: 8 }, load);

  for (let round = 0; round < 25; round++) {
    for (const [index, port] of ports.entries()) {
      const instance = instances[index]!;
      await instance.until("stderr", /"\/plants","status":200/);
      instance.kill("SIGTERM");
      assertEquals((await instance.ended).status, 0);
      instances[index] = await start(port);
    }
  }
  isLoaded = false;
  await Promise.all(clients);
  agent.destroy();
  assertEquals(Object.keys(counts), ["200"], JSON.stringify(counts));
  t.diagnostic(`${counts["200"]} requests, none lost`);
});

test("nginx answers 502 at once when no instance is left, and recovers", async (t) => {
  const ports = [await findPort(), await findPort()] as const;
  const { ask } = await startNginx(t, ports);
  const start = performance.now();
  const { status, headers, body } = await ask("/plants", { headers: CURATOR });
  assertEquals(status, 502);
  assert(performance.now() - start < 2_000);
  assertEquals(headers.get("content-type"), "application/json");
  assertEquals(headers.get("access-control-allow-origin"), "*");
  assertEquals((parse(body) as { error: number }).error, 502);

  await startServer(t, ["--port", `${ports[1]}`]);
  assertEquals((await ask("/plants", { headers: CURATOR })).status, 200);
});
