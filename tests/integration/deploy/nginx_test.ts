import { readFile, stat } from "node:fs/promises";
import { Agent } from "node:http";
import { connect } from "node:http2";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, describe, it, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { exchange, openWire, parseResponses } from "../../contract/wire.ts";
import { startServer } from "../../support/command.ts";
import { createGate } from "../../support/gate.ts";
import { findPort } from "../../support/port.ts";
import { until } from "../../support/until.ts";
import { CLIENT, HOST, NO_RATE_LIMIT, startNginx, startStub } from "./nginx.ts";

const CURATOR = { authorization: "Bearer demo-curator" };

/** nginx in front of two instances. */
const instances = [await startServer({ after }), await startServer({ after })];
const [first, second] = instances.map(({ port }) => port);
const service = await startNginx({ after }, [first!, second!], NO_RATE_LIMIT);

/** nginx in front of a stub. */
const stub = await startStub({ after });
const proxy = await startNginx(
  { after },
  [stub.port, stub.port],
  NO_RATE_LIMIT,
);

/** Sends a request for all plants as the curator. */
function list(headers: Readonly<Record<string, string>> = {}) {
  return service.send("/plants", { headers: { ...CURATOR, ...headers } });
}

/** Asserts that nginx created an error response like those of the service. */
async function assertError(response: Response, status: number): Promise<void> {
  const { headers } = response;
  const { error, message } = await response.json();
  assertEquals([response.status, error], [status, status]);
  assertMatch(message, /^[A-Z].{7,}[^.]$/);
  const isTemporary = [429, 502, 503, 504].includes(status);
  for (
    const [name, value] of Object.entries({
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "Allow, Retry-After, X-Request-Id",
      "allow": status === 405 ? "GET, HEAD, OPTIONS" : null,
      "retry-after": isTemporary ? "1" : null,
      "etag": null,
    })
  ) {
    assertEquals(headers.get(name), value, name);
  }
  assertMatch(headers.get("x-request-id") ?? "", /^[\w.-]{1,64}$/);
}

for (const host of ["127.0.0.1", "::1"]) {
  for (const isSecure of [false, true]) {
    const scheme = isSecure ? "HTTPS" : "HTTP";
    test(`nginx forwards ${scheme} requests to ${host}`, async () => {
      const send = (authorization: string) =>
        service.send("/plants?limit=2", {
          headers: { authorization },
          isSecure,
          host,
        });
      const response = await send("Bearer demo-curator");
      assertEquals(response.status, 200);
      assertEquals((await response.json()).length, 2);
      assertEquals(response.headers.get("server"), "nginx");
      assertEquals(
        response.headers.get("cache-control"),
        "private, no-cache",
      );
      const { status, headers } = await send("Bearer wrong");
      assertEquals(status, 401);
      assertEquals(
        headers.get("www-authenticate"),
        'Bearer realm="plant-store", error="invalid_token"',
      );
    });
  }
}

test("nginx forwards HTTP/2 requests", async (t) => {
  const { securePort, ca } = service;
  const url = `https://127.0.0.1:${securePort}`;
  const session = connect(url, { ca, servername: HOST });
  t.after(() => session.close());
  const stream = session.request({ ":path": "/plants?limit=1", ...CURATOR });
  assertEquals(JSON.parse(await text(stream)).length, 1);
});

for (
  const [target, status] of [
    ["/%70lants", 200],
    ["//plants", 404],
    ["/x%2F..%2Fplants", 404],
    ["/plants/", 404],
  ] as const
) {
  test(`nginx forwards the target ${target} unchanged`, async () => {
    const response = await service.send(target, { headers: CURATOR });
    assertEquals(response.status, status);
  });
}

for (const host of [HOST, `${HOST}:8080`]) {
  test(`nginx forwards the Host ${host}`, async () => {
    const response = await service.send("/openapi.json", { headers: { host } });
    assertEquals((await response.json()).servers, [{ url: `http://${host}` }]);
  });
}

test("nginx adds a Host to HTTP/1.0 requests without one", async () => {
  const request = "GET /healthz HTTP/1.0\r\n\r\n";
  assertMatch(await exchange(service.port, request), /^HTTP\/1\.1 200 /);
});

test("nginx compresses lists, and both the strong and the weak ETag return 304", async () => {
  const plain = await list();
  const etag = plain.headers.get("etag")!;
  assertMatch(etag, /^"/);
  assertEquals(plain.headers.get("content-encoding"), null);

  const gzip = { "accept-encoding": "gzip" };
  const compressed = await list(gzip);
  assertEquals(compressed.headers.get("content-encoding"), "gzip");
  assertEquals(compressed.headers.get("etag"), `W/${etag}`);
  const vary = compressed.headers.get("vary")!.split(", ").sort();
  assertEquals(vary, ["Accept-Encoding", "Authorization"]);
  const body = gunzipSync(await compressed.arrayBuffer()).toString();
  assertEquals(body, await plain.text());

  for (const tag of [etag, `W/${etag}`]) {
    const { status } = await list({ ...gzip, "if-none-match": tag });
    assertEquals(status, 304);
  }
});

const GET = "GET /plants HTTP/1.1\r\n";
const HOST_LINE = `Host: ${HOST}\r\n`;
const VALID = `${GET}${HOST_LINE}`;
const LONG = "x".repeat(8_192);
const LONG_HEADERS = `X: ${"x".repeat(4_000)}\r\n`.repeat(9);

for (
  const [description, status, request] of [
    ["bytes that are not HTTP", 400, "hello\r\n\r\n"],
    ["a request without Host", 400, `${GET}\r\n`],
    ["an invalid Host", 400, `${GET}Host: a/b?c=\r\n\r\n`],
    ["two Host headers", 400, `${VALID}${HOST_LINE}\r\n`],
    [
      "two Content-Length headers",
      400,
      `${VALID}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    ],
    [
      "Content-Length with Transfer-Encoding",
      400,
      `${VALID}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      "an unknown transfer coding",
      501,
      `${VALID}Transfer-Encoding: xchunked\r\n\r\n`,
    ],
    ["OPTIONS *", 400, `OPTIONS * HTTP/1.1\r\n${HOST_LINE}\r\n`],
    [
      "its internal path",
      404,
      `GET /.nginx/error HTTP/1.1\r\n${HOST_LINE}\r\n`,
    ],
    ["TRACE", 405, `TRACE /plants HTTP/1.1\r\n${HOST_LINE}\r\n`],
    ["a body over 64 KB", 413, `${VALID}Content-Length: 65537\r\n\r\n`],
    ["a long target", 414, `GET /?${LONG} HTTP/1.1\r\n${HOST_LINE}\r\n`],
    ["a long header", 431, `${VALID}X: ${LONG}\r\n\r\n`],
    ["many headers", 431, `${VALID}${LONG_HEADERS}\r\n`],
    ["HTTP/2.0", 505, `GET /plants HTTP/2.0\r\n${HOST_LINE}\r\n`],
    ["plain HTTP on the HTTPS port", 400, `${VALID}\r\n`],
  ] as const
) {
  test(`nginx rejects ${description} with ${status}`, async (t) => {
    const isSecure = description.endsWith("HTTPS port");
    const wire = openWire(isSecure ? proxy.securePort : proxy.port);
    t.after(() => wire.destroy());
    wire.write(request);
    const received = await wire.until(/\}$/);
    const [response] = parseResponses(received, ["GET"]);
    await assertError(new Response(response!.body, response), status);
    assertEquals(stub.requests.splice(0), []);
  });
}

test("nginx returns 502 immediately when both instances are down, and recovers", async (t) => {
  const ports = [await findPort(), await findPort()] as const;
  const { send } = await startNginx(t, ports);
  await assertError(await send("/plants"), 502);
  const head = await send("/plants", { method: "HEAD" });
  assertEquals([head.status, await head.text()], [502, ""]);

  await startServer(t, ["--port", `${ports[1]}`]);
  assertEquals((await send("/healthz")).status, 200);
});

test("nginx retries a 503 on the other instance, and forwards the 503 of both", async (t) => {
  const unavailable = await startStub(t, (_, response) => {
    response.writeHead(503, { "retry-after": "7" }).end("from the service");
  });
  const half = await startNginx(t, [unavailable.port, stub.port]);
  for (let round = 0; round < 4; round++) {
    assertEquals((await half.send("/plants")).status, 200);
  }
  assertEquals(stub.requests.splice(0).length, 4);

  const none = await startNginx(t, [unavailable.port, unavailable.port]);
  const response = await none.send("/plants");
  assertEquals(response.status, 503);
  assertEquals(response.headers.get("retry-after"), "7");
  assertEquals(await response.text(), "from the service");
});

test("nginx limits clients to a burst of 41 requests, then returns 429", async (t) => {
  const changes = { "plant_store_count 32;": "plant_store_count 100;" };
  const { port } = await startStub(t);
  const { send } = await startNginx(t, [port, port], changes);
  const start = performance.now();
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => send("/plants")),
  );
  const rejected = responses.filter(({ status }) => status !== 200);
  const accepted = responses.length - rejected.length;
  // The rate adds requests while they arrive.
  const most = 42 + 20 * (performance.now() - start) / 1_000;
  assert(accepted >= 41 && accepted <= most, `${accepted} accepted`);
  for (const response of rejected) await assertError(response, 429);
  await until(async () => (await send("/plants")).status === 200);
});

test("nginx treats a /64 IPv6 network and an IPv4 address as one client each", async (t) => {
  const { port } = await startStub(t);
  const { send } = await startNginx(t, [port, port], {
    "rate=20r/s": "rate=1r/m",
    "plant_store_count 32;": "plant_store_count 100;",
  });
  for (
    const [accepted, ...addresses] of [
      [41, "2001:db8::a:1", "2001:db8::b:a", "2001:db8::"],
      [0, "2001:db8::ffff:ffff:ffff:ffff"],
      [41, "2001:db8:0:1::1"],
      [41, "192.0.2.1"],
      [30, "192.0.2.1", "192.0.2.2"],
    ] as const
  ) {
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        send("/plants", {
          headers: { [CLIENT]: addresses[index % addresses.length]! },
        })),
    );
    const { length } = responses.filter(({ status }) => status === 200);
    assertEquals(length, accepted, addresses.join());
  }
});

test("nginx limits a client to 32 concurrent requests, then returns 429", async (t) => {
  const released = createGate();
  const received = createGate();
  t.after(released.open);
  const slow = await startStub(t, async (_, response) => {
    if (slow.requests.length === 32) received.open();
    await released.opened;
    response.end("[]");
  });
  const { send } = await startNginx(t, [slow.port, slow.port]);
  const pending = Array.from({ length: 32 }, () => send("/plants"));
  await received.opened;
  await assertError(await send("/plants"), 429);
  pending.push(send("/plants", { headers: { [CLIENT]: "192.0.2.1" } }));
  released.open();
  for (const response of pending) assertEquals((await response).status, 200);
});

test("nginx does not forward bodies", async () => {
  // A body forwarded without a length would be another request.
  const body = `GET /body HTTP/1.1\r\n${HOST_LINE}\r\n`;
  for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
    await proxy.send("/plants", { method: "POST", body, headers });
    await proxy.send("/plants");
  }
  const requests = stub.requests.splice(0);
  assertEquals(
    requests.map(({ method, url }) => `${method} ${url}`),
    ["POST /plants", "GET /plants", "POST /plants", "GET /plants"],
  );
  for (const { headers } of requests) {
    assertEquals(headers["content-length"], undefined);
    assertEquals(headers["transfer-encoding"], undefined);
  }
});

test("nginx replaces the forwarding headers of the client", async () => {
  await proxy.send("/plants", {
    isSecure: true,
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
  const [request] = stub.requests.splice(0);
  for (
    const [name, value] of Object.entries({
      "authorization": CURATOR.authorization,
      "host": HOST,
      "x-forwarded-for": "192.0.2.1",
      "x-forwarded-host": HOST,
      "x-forwarded-proto": "https",
      "forwarded": undefined,
    })
  ) {
    assertEquals(request!.headers[name], value, name);
  }
});

test("nginx forwards a valid X-Request-Id and replaces others", async () => {
  const generated = /^[0-9a-f]{32}$/;
  for (
    const [id, expected] of [
      ["a", /^a$/],
      ["Az09._-", /^Az09\._-$/],
      ["x".repeat(64), /^x{64}$/],
      ["x".repeat(65), generated],
      ["a b", generated],
      ["\u00e9", generated],
      ['"', generated],
      ["", generated],
      [undefined, generated],
      ["demo-curator", generated], // the token of the request
      ["demo-curato", /^demo-curato$/],
      ["curator", /^curator$/],
      [`ps_${"x".repeat(43)}`, generated],
      [`a.ps_${"x".repeat(43)}`, generated],
    ] as const
  ) {
    const header = id === undefined ? {} : { "x-request-id": id };
    await proxy.send("/plants", { headers: { ...CURATOR, ...header } });
    const [request] = stub.requests.splice(0);
    const [forwarded, ...others] = request!.headersDistinct["x-request-id"]!;
    assertMatch(forwarded!, expected, id);
    assertEquals(others, []);
  }
});

test("nginx logs requests without queries, tokens, and headers", async (t) => {
  const secret = "a-secret-token";
  const ports = [await findPort(), await findPort()] as const;
  const { send, port, logs } = await startNginx(t, ports, {
    "rate=20r/s": "rate=1r/m",
  });
  const server = await startServer(t, ["--port", `${ports[0]}`]);
  const headers = {
    "authorization": `Bearer ${secret}`,
    "referer": `http://a.example/?token=${secret}`,
    "cookie": secret,
    "user-agent": secret,
    "x-request-id": "mine",
  };
  const target = `/plants?access_token=${secret}`;
  const start = Math.floor(Date.now() / 1_000) * 1_000;
  assertEquals((await send(target, { headers })).status, 401);
  server.kill("SIGKILL");
  await server.ended;
  assertEquals((await send(target, { headers })).status, 502);
  await exchange(port, `GET ${target} HTTP/1.1\r\n\r\n`);
  await send(`/plants/${"x".repeat(43)}/a?b`, { headers });
  const responses = await Promise.all(
    Array.from({ length: 42 }, () => send(target, { headers })),
  );
  assert(responses.some(({ status }) => status === 429));

  // nginx writes a line after it has sent the response.
  let log = "";
  await until(async () => {
    log = await readFile(join(logs, "plant-store.access.log"), "utf8");
    return log.split("\n").length > 46;
  });
  const lines = log.trim().split("\n").map((line) => JSON.parse(line));
  const { time, seconds, bytes, statuses, instances, ...rest } = lines.find(
    ({ status }) => status === 401,
  );
  assert(Date.parse(time) >= start && Date.parse(time) <= Date.now());
  assert(seconds >= 0 && bytes > 0);
  assertMatch(statuses, /(?:^|, )401$/);
  assertMatch(instances, new RegExp(`127.0.0.1:${ports[0]}$`));
  assertEquals(rest, {
    client: "127.0.0.1",
    method: "GET",
    path: "/plants",
    status: 401,
    requestId: "mine",
  });
  const others = new Set(lines.map(({ status, path }) => `${status} ${path}`));
  assertEquals([...others].sort(), [
    "400 /plants",
    "401 /plants",
    "429 /plants",
    "502 /plants",
    "502 /plants/...",
  ]);
  assert(!log.includes(secret));
  const errors = await readFile(join(logs, "plant-store.error.log"), "utf8");
  assertEquals(errors, "");
});

// The shipped timeouts take 5 and 10 seconds.
describe("nginx with timeouts of 1 second", { concurrency: true }, () => {
  it("closes connections with slow headers or bodies", async (t) => {
    const { port, requests } = await startStub(t);
    const slow = await startNginx(t, [port, port], {
      "client_header_timeout 10s;": "client_header_timeout 1s;",
      "client_body_timeout 10s;": "client_body_timeout 1s;",
    });
    const wires = ["", VALID, `${VALID}Content-Length: 9\r\n\r\n`].map(
      (request) => {
        const wire = openWire(slow.port);
        wire.write(request);
        return wire;
      },
    );
    const timer = setInterval(() => wires[1]!.write("X: y\r\n"), 100);
    t.after(() => clearInterval(timer));
    const received = await Promise.all(wires.map(({ closed }) => closed));
    assertEquals(received, ["", "", ""]);
    assertEquals(requests.length, 0);
  });

  it("closes connections on which no response is read", async (t) => {
    const size = 64 * 2 ** 20;
    const { port } = await startStub(t, (_, response) => {
      response.end(Buffer.alloc(size));
    });
    const nginx = await startNginx(t, [port, port], {
      "send_timeout 10s;": "send_timeout 1s;",
    });
    const wire = openWire(nginx.port);
    wire.pause();
    wire.write(`${VALID}\r\n`);
    // nginx writes a line after it has closed the connection.
    const log = join(nginx.logs, "plant-store.access.log");
    await until(async () => (await stat(log)).size > 0);
    wire.resume();
    const { length } = await wire.closed;
    assert(length < size / 2, `${length} bytes`);
  });

  it("returns 504 when neither instance responds", async (t) => {
    const silent = await startStub(t, () => {});
    const { send } = await startNginx(t, [silent.port, silent.port], {
      "proxy_read_timeout 5s;": "proxy_read_timeout 1s;",
    });
    await assertError(await send("/plants"), 504);
    assertEquals(silent.requests.length, 2);
  });
});

test("50 restarts of instances under load lose no request", async (t) => {
  const ports = [await findPort(), await findPort()] as const;
  const start = (port: number) =>
    startServer(t, ["--port", `${port}`, "--log", "requests"]);
  const instances = await Promise.all(ports.map(start));
  const { send } = await startNginx(t, ports, NO_RATE_LIMIT);

  let isRunning = true;
  const counts: Record<string, number> = {};
  const agent = new Agent({ keepAlive: true });
  async function sendRequests(): Promise<void> {
    while (isRunning) {
      const outcome = await send("/plants?limit=9", { headers: CURATOR, agent })
        .then(({ status }) => status, ({ message }) => message);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
  }
  const clients = Array.from({ length: 8 }, sendRequests);

  for (let round = 0; round < 25; round++) {
    for (const [index, port] of ports.entries()) {
      const instance = instances[index]!;
      await instance.until("stderr", /"\/plants","status":200/);
      instance.kill("SIGTERM");
      assertEquals((await instance.ended).status, 0);
      instances[index] = await start(port);
    }
  }
  isRunning = false;
  await Promise.all(clients);
  agent.destroy();
  assertEquals(Object.keys(counts), ["200"], JSON.stringify(counts));
});
