import { readFile, stat } from "node:fs/promises";
import { Agent } from "node:http";
import { connect } from "node:http2";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { gunzipSync } from "node:zlib";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { startServer } from "../../support/command.ts";
import { exchange, openWire, parseResponses } from "../../contract/wire.ts";
import { createGate } from "../../support/gate.ts";
import { until } from "../../support/until.ts";
import {
  type Answer,
  CLIENT,
  findPort,
  NAME,
  type Proxy,
  startNginx,
  startStandIn,
} from "./nginx.ts";
import { run, startFor } from "./programs.ts";

const CURATOR = { authorization: "Bearer demo-curator" };

/** Starts two instances with these arguments, and nginx in front of them. */
async function startAll(
  t: TestContext,
  args: readonly string[] = [],
  ...limits: [rate?: string, count?: number]
): Promise<Proxy> {
  const first = await startServer(t, args);
  const second = await startServer(t, args);
  return await startNginx(t, [first.port, second.port], ...limits);
}

function parse(body: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(body));
}

/** What holds for all that nginx answers by itself. */
function checkRefusal(
  { headers, ...answer }: Pick<Answer, "headers"> & { readonly body: unknown },
  status: number,
): void {
  const { error, message } = answer.body as { error: number; message: string };
  assertEquals(error, status);
  assertMatch(message, /^[A-Z].{7,}[^.]$/);
  for (
    const [name, value] of [
      ["content-type", "application/json"],
      ["cache-control", "no-store"],
      ["x-content-type-options", "nosniff"],
      ["access-control-allow-origin", "*"],
      [
        "access-control-expose-headers",
        "Allow, Retry-After, X-Request-Id",
      ],
      ["allow", status === 405 ? "GET, HEAD, OPTIONS" : null],
      ["retry-after", [429, 502, 503, 504].includes(status) ? "1" : null],
      ["etag", null],
    ] as const
  ) {
    assertEquals(headers.get(name), value, name);
  }
  assertMatch(headers.get("x-request-id") ?? "", /^[\w.-]{1,64}$/);
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
  const { ask } = await startAll(t, [], "20r/s", 100);
  const start = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => ask("/healthz")),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  // The burst, and what the rate adds while the requests come in.
  const served = answers.length - refused.length;
  const most = 42 + 20 * (performance.now() - start) / 1_000;
  assert(served >= 41 && served <= most, `${served} were served`);
  for (const { status, headers, body } of refused) {
    assertEquals(status, 429);
    checkRefusal({ headers, body: parse(body) }, 429);
  }
  await until(async () => (await ask("/healthz")).status === 200);
});

test("nginx takes 64 bits of IPv6 for one client, and an IPv4 address for another", async (t) => {
  const { port } = await startStandIn(t);
  // One request, and the burst.
  const { ask } = await startNginx(t, [port, port], "1r/m", 100);
  async function count(...addresses: readonly string[]): Promise<number> {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        ask("/plants", {
          headers: { [CLIENT]: addresses[at % addresses.length]! },
        })),
    );
    return answers.filter(({ status }) => status === 200).length;
  }
  assertEquals(await count("2001:db8::a:1", "2001:db8::b:a", "2001:db8::"), 41);
  assertEquals(await count("2001:db8::ffff:ffff:ffff:ffff"), 0);
  assertEquals(await count("2001:db8:0:1::1"), 41);
  assertEquals(await count("192.0.2.1"), 41);
  assertEquals(await count("192.0.2.1", "192.0.2.2"), 30);
});

test("nginx lets a client have 32 requests under way", async (t) => {
  const { opened, open } = createGate();
  t.after(open);
  const all = createGate();
  const { port, requests } = await startStandIn(t, async (_, response) => {
    if (requests.length === 32) all.open();
    await opened;
    response.end("[]");
  });
  const { ask } = await startNginx(t, [port, port]);
  const held = Array.from({ length: 32 }, () => ask("/plants"));
  await all.opened;
  const { status, headers, body } = await ask("/plants");
  assertEquals(status, 429);
  checkRefusal({ headers, body: parse(body) }, 429);
  const other = ask("/plants", { headers: { [CLIENT]: "192.0.2.1" } });
  open();
  for (const answer of [...held, other]) {
    assertEquals((await answer).status, 200);
  }
});

const GET = "GET /plants HTTP/1.1\r\n";
const HOST = `Host: ${NAME}\r\n`;

for (
  const [id, status, request] of [
    ["no HTTP at all", 400, "hello\r\n\r\n"],
    ["no Host", 400, `${GET}\r\n`],
    ["a Host that is none", 400, `${GET}Host: a/b?c=\r\n\r\n`],
    ["two Hosts", 400, `${GET}${HOST}${HOST}\r\n`],
    [
      "two lengths",
      400,
      `${GET}${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    ],
    [
      "both framings",
      400,
      `${GET}${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      "an unknown transfer coding",
      501,
      `${GET}${HOST}Transfer-Encoding: xchunked\r\n\r\n`,
    ],
    ["an asterisk", 400, `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`],
    ["its own address", 404, `GET /.nginx/error HTTP/1.1\r\n${HOST}\r\n`],
    ["TRACE", 405, `TRACE /plants HTTP/1.1\r\n${HOST}\r\n`],
    ["a long body", 413, `${GET}${HOST}Content-Length: 65537\r\n\r\n`],
    [
      "a long address",
      414,
      `GET /plants?${"x".repeat(8_192)} HTTP/1.1\r\n${HOST}\r\n`,
    ],
    ["a long field", 431, `${GET}${HOST}X: ${"x".repeat(8_192)}\r\n\r\n`],
    [
      "many fields",
      431,
      `${GET}${HOST}${`X: ${"x".repeat(4_000)}\r\n`.repeat(9)}\r\n`,
    ],
    ["another version", 505, `GET /plants HTTP/2.0\r\n${HOST}\r\n`],
  ] as const
) {
  test(`nginx answers ${id} with ${status} and an Error body`, async (t) => {
    const stand = await startStandIn(t);
    const { port } = await startNginx(t, [stand.port, stand.port]);
    const wire = openWire(port);
    wire.write(request);
    const received = await wire.until(/\}$/);
    wire.destroy();
    const [answer] = parseResponses(received, ["GET"]);
    assertEquals(answer!.status, status);
    checkRefusal({ ...answer!, body: JSON.parse(answer!.body) }, status);
    assertEquals(stand.requests.length, 0);
  });
}

test("nginx answers plain HTTP on the port of TLS with 400 and an Error body", async (t) => {
  const stand = await startStandIn(t);
  const { securePort } = await startNginx(t, [stand.port, stand.port]);
  const received = await exchange(securePort, `${GET}${HOST}\r\n`);
  const [answer] = parseResponses(received, ["GET"]);
  assertEquals(answer!.status, 400);
  checkRefusal({ ...answer!, body: JSON.parse(answer!.body) }, 400);
});

test("nginx answers a HEAD that it refuses without a body", async (t) => {
  const { ask } = await startNginx(t, [await findPort(), await findPort()]);
  const { status, body } = await ask("/plants", { method: "HEAD" });
  assertEquals([status, body.length], [502, 0]);
});

test("nginx answers 504 when no instance does", async (t) => {
  const silent = await startStandIn(t, () => {});
  const proxy = await startNginx(t, [silent.port, silent.port]);
  const start = performance.now();
  const { status, headers, body } = await proxy.ask("/plants");
  const seconds = (performance.now() - start) / 1_000;
  assertEquals(status, 504);
  checkRefusal({ headers, body: parse(body) }, 504);
  assert(seconds > 9.9, `${seconds} s`); // 20 s end the test
  assertEquals(silent.requests.length, 2);
});

test("nginx asks the other instance when one says 503, and hands the 503 of both on", async (t) => {
  const away = await startStandIn(t, (_, response) => {
    response.writeHead(503, { "retry-after": "7" }).end("of the service");
  });
  const there = await startStandIn(t);
  const half = await startNginx(t, [away.port, there.port]);
  for (let round = 0; round < 4; round++) {
    assertEquals((await half.ask("/plants")).status, 200);
  }
  assertEquals(there.requests.length, 4);

  const none = await startNginx(t, [away.port, away.port]);
  const { status, headers, body } = await none.ask("/plants");
  assertEquals([status, headers.get("retry-after")], [503, "7"]);
  assertEquals(new TextDecoder().decode(body), "of the service");
});

test("nginx hands no body on", async (t) => {
  const { port, requests } = await startStandIn(t);
  const { ask } = await startNginx(t, [port, port]);
  // What goes on without a length is another request.
  const body = `GET /body HTTP/1.1\r\n${HOST}\r\n`;
  for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
    await ask("/plants", { method: "POST", body, headers });
    await ask("/plants");
  }
  assertEquals(
    requests.map(({ method, url }) => `${method} ${url}`),
    ["POST /plants", "GET /plants", "POST /plants", "GET /plants"],
  );
  for (const { headers } of requests) {
    assertEquals(headers["content-length"], undefined);
    assertEquals(headers["transfer-encoding"], undefined);
  }
});

test("nginx hands on who asked", async (t) => {
  const { port, requests } = await startStandIn(t);
  const proxy = await startNginx(t, [port, port]);
  await proxy.askSecurely("/plants", {
    headers: {
      ...CURATOR,
      [CLIENT]: "192.0.2.1",
      "forwarded": "for=198.51.100.1",
      "x-forwarded-for": "198.51.100.1",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "http",
      "connection": "close, x-forwarded-for",
    },
  });
  const [{ headers }] = requests as [typeof requests[0]];
  for (
    const [name, value] of [
      ["authorization", CURATOR.authorization],
      ["host", NAME],
      ["x-forwarded-for", "192.0.2.1"],
      ["x-forwarded-host", NAME],
      ["x-forwarded-proto", "https"],
      ["forwarded", undefined],
    ] as const
  ) {
    assertEquals(headers[name], value, name);
  }
});

test("nginx hands an id of the client's on, and makes one where it is none", async (t) => {
  const { port, requests } = await startStandIn(t);
  const { ask } = await startNginx(t, [port, port]);
  for (
    const [id, isKept] of [
      ["a", true],
      ["Az09._-", true],
      ["x".repeat(64), true],
      ["x".repeat(65), false],
      ["a b", false],
      ["\u00e9", false],
      ['"', false],
      ["", false],
      [undefined, false],
      ["demo-curator", false],
      ["demo-curato", true],
      ["curator", true],
      [`ps_${"x".repeat(43)}`, false],
      [`a.ps_${"x".repeat(43)}`, false],
    ] as const
  ) {
    await ask("/plants", {
      headers: id === undefined ? CURATOR : { ...CURATOR, "x-request-id": id },
    });
    const found = requests.at(-1)!.headersDistinct["x-request-id"]!;
    assertEquals(found.length, 1);
    if (isKept) assertEquals(found, [id]);
    else assertMatch(found[0]!, /^[0-9a-f]{32}$/);
  }
});

test("nginx asks for a client of HTTP/1.0 that names no host", async (t) => {
  const { port } = await startAll(t);
  const received = await exchange(port, "GET /healthz HTTP/1.0\r\n\r\n");
  assertMatch(received, /^HTTP\/1\.1 200 /);
});

test("nginx listens on IPv6 too", async (t) => {
  const { ask, askSecurely } = await startAll(t);
  for (const send of [ask, askSecurely]) {
    const { status } = await send("/healthz", { host: "::1" });
    assertEquals(status, 200);
  }
});

test("nginx logs what was asked, and no query, token or header", async (t) => {
  const secret = "a-secret-token";
  const ports = [await findPort(), await findPort()] as const;
  const { ask, port, logs } = await startNginx(t, ports, "1r/m");
  const server = await startServer(t, ["--port", `${ports[0]}`]);
  const headers = {
    "authorization": `Bearer ${secret}`,
    "referer": `http://a.example/?token=${secret}`,
    "cookie": secret,
    "user-agent": secret,
    "x-request-id": "mine",
  };
  const target = `/plants?access_token=${secret}`;
  const began = Math.floor(Date.now() / 1_000) * 1_000;
  assertEquals((await ask(target, { headers })).status, 401);
  server.kill("SIGTERM");
  await server.ended;
  assertEquals((await ask(target, { headers })).status, 502);
  await exchange(port, `GET ${target} HTTP/1.1\r\n\r\n`);
  await ask(`/plants/${"x".repeat(43)}/a?b`, { headers });
  const answers = await Promise.all(
    Array.from({ length: 42 }, () => ask(target, { headers })),
  );
  assert(answers.some(({ status }) => status === 429));

  const read = () => readFile(join(logs, "plant-store.access.log"), "utf8");
  // A line is written once its answer has been sent.
  await until(async () => (await read()).split("\n").length > 46);
  const log = await read();
  const lines = log.trim().split("\n").map((line) => JSON.parse(line));
  const { time, seconds, bytes, ...first } = lines.find(({ status }) =>
    status === 401
  );
  assert(Date.parse(time) >= began && Date.parse(time) <= Date.now());
  assert(seconds >= 0 && bytes > 0);
  assertEquals(first.client, "127.0.0.1");
  assertEquals(first.method, "GET");
  assertEquals(first.path, "/plants");
  assertEquals(first.status, 401);
  assertEquals(first.requestId, "mine");
  assertMatch(first.statuses, /(?:^|, )401$/);
  // Two processes write, each in its own time.
  const others = new Set(lines.map(({ status, path }) => `${status} ${path}`));
  assertEquals(
    [...others].sort(),
    [
      "400 /plants",
      "401 /plants",
      "429 /plants",
      "502 /plants",
      "502 /plants/...",
    ],
  );
  assertEquals(log.includes(secret), false);
  const errors = await readFile(join(logs, "plant-store.error.log"), "utf8");
  assertEquals(errors, "");
});

/** Starts the command line on Deno, and gives its port. */
async function startDeno(t: TestContext): Promise<number> {
  // What npx starts would outlive npx.
  const print = ["--yes", "deno@2.9.6", "eval", "console.log(Deno.execPath())"];
  const { stdout } = await run("npx", print);
  const server = startFor(t, stdout.trim(), [
    "run",
    "--allow-all",
    "--import-map=tools/deno.offline.json",
    "src/cli/main.ts",
    "--port=0",
  ]);
  const [, port] = await server.until("stdout", /Listening on .*:(\d+)\/\n/);
  return Number(port);
}

for (
  const [runtime, start] of [
    ["Node", async (t) => (await startServer(t)).port],
    ["Deno, which never does", startDeno],
  ] as const satisfies readonly (readonly [
    string,
    (t: TestContext) => Promise<number>,
  ])[]
) {
  test(`nginx cuts slow headers and slow bodies for ${runtime}`, async (t) => {
    const instance = await start(t);
    const { port } = await startNginx(t, [instance, instance]);
    const head = "GET /healthz HTTP/1.1\r\nHost: h\r\n";
    const began = performance.now();
    const silent = openWire(port);
    const trickled = openWire(port);
    trickled.write(head);
    const trickle = setInterval(() => trickled.write("X: y\r\n"), 500);
    t.after(() => clearInterval(trickle));
    const stalled = openWire(port);
    stalled.write(`${head}Content-Length: 9\r\n\r\n`);
    const wires = [silent, trickled, stalled];
    const answers = await Promise.all(wires.map(({ closed }) => closed));
    const seconds = (performance.now() - began) / 1_000;
    assert(seconds > 9.9, `${seconds} s`); // 20 s end the test
    assertEquals(answers, ["", "", ""]);
  });
}

test("nginx cuts a client that reads nothing", async (t) => {
  const size = 64 * 2 ** 20;
  const { port } = await startStandIn(t, (_, response) => {
    response.end(Buffer.alloc(size));
  });
  const proxy = await startNginx(t, [port, port]);
  const wire = openWire(proxy.port);
  wire.pause();
  wire.write(`${GET}${HOST}\r\n`);
  // A line is written once nginx is done with a request.
  const log = join(proxy.logs, "plant-store.access.log");
  await until(async () => (await stat(log)).size > 0);
  wire.resume();
  const received = await wire.closed;
  assert(received.length < size / 2, `${received.length} bytes`);
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
  const { status, headers, body } = await ask("/plants", { headers: CURATOR });
  assertEquals(status, 502);
  checkRefusal({ headers, body: parse(body) }, 502);

  await startServer(t, ["--port", `${ports[1]}`]);
  assertEquals((await ask("/plants", { headers: CURATOR })).status, 200);
});
