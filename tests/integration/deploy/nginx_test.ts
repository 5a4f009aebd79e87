import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { openWire, parseResponses } from "../../contract/wire.ts";
import { startServer } from "../../support/command.ts";
import { createGate } from "../../support/gate.ts";
import { findPort } from "../../support/port.ts";
import { until } from "../../support/until.ts";
import {
  CLIENT,
  HOST,
  type Nginx,
  NO_RATE_LIMIT,
  startNginx,
  startStub,
} from "./nginx.ts";

const CURATOR = { authorization: "Bearer demo-curator" };

/** nginx in front of a stub. */
const stub = await startStub({ after });
const proxy = await startNginx({ after }, [stub.port], NO_RATE_LIMIT);

/** Sends a request to the stub, and returns what nginx forwarded. */
async function forward(...args: Parameters<typeof proxy.send>) {
  const { status, headers } = await proxy.send(...args);
  assertEquals([status, headers.get("server")], [200, "nginx"]);
  const [request, ...others] = stub.requests.splice(0);
  assertEquals(others, []);
  return request!;
}

function readLog({ logs }: Nginx, kind = "access"): Promise<string> {
  return readFile(join(logs, `plant-store.${kind}.log`), "utf8");
}

/** Asserts that nginx created an error response like those of the service. */
async function assertError(response: Response, status: number): Promise<void> {
  const { headers } = response;
  const { error, message } = await response.json();
  assertEquals([response.status, error], [status, status]);
  assertMatch(message, /^[A-Z].{7,}[^.]$/);
  const isTemporary = [429, 502, 503, 504].includes(status);
  const expected = {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "Allow, Retry-After, X-Request-Id",
    "allow": status === 405 ? "GET, HEAD, OPTIONS" : null,
    "retry-after": isTemporary ? "1" : null,
    "etag": null,
  };
  for (const [name, value] of Object.entries(expected)) {
    assertEquals(headers.get(name), value, name);
  }
  assertMatch(headers.get("x-request-id") ?? "", /^[\w.-]{1,64}$/);
}

for (const host of ["127.0.0.1", "::1"]) {
  for (const isSecure of [false, true]) {
    const scheme = isSecure ? "HTTPS" : "HTTP";
    test(`nginx forwards ${scheme} requests to ${host}`, async () => {
      await forward("/plants", { isSecure, host });
    });
  }
}

test("nginx forwards the target and Host unchanged", async () => {
  const host = `${HOST}:8080`;
  for (const target of ["/%70lants", "//plants", "/x%2F..%2Fplants", "/a/?b"]) {
    const { url, headers } = await forward(target, { headers: { host } });
    assertEquals([url, headers.host], [target, host]);
  }
});

test("nginx compresses lists, and both the strong and the weak ETag return 304", async (t) => {
  const { port } = await startServer(t);
  const { send } = await startNginx(t, [port]);
  const list = (headers = {}) =>
    send("/plants", { headers: { ...CURATOR, ...headers } });
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

const HOST_LINE = `Host: ${HOST}\r\n`;
const VALID = `GET /plants HTTP/1.1\r\n${HOST_LINE}`;
const LONG = "x".repeat(8_192);
const LONG_HEADERS = `X: ${"x".repeat(4_000)}\r\n`.repeat(9);

for (
  const [description, status, request] of [
    ["bytes that are not HTTP", 400, "hello\r\n"],
    ["its internal path", 404, VALID.replace("plants", ".nginx/error")],
    ["TRACE", 405, VALID.replace("GET", "TRACE")],
    ["a body over 64 KB", 413, `${VALID}Content-Length: 65537\r\n`],
    ["a long target", 414, VALID.replace("plants", LONG)],
    ["a long header", 431, `${VALID}X: ${LONG}\r\n`],
    ["many headers", 431, `${VALID}${LONG_HEADERS}`],
    ["an unknown coding", 501, `${VALID}Transfer-Encoding: xchunked\r\n`],
    ["HTTP/2.0", 505, VALID.replace("1.1", "2.0")],
    ["plain HTTP on the HTTPS port", 400, VALID],
  ] as const
) {
  test(`nginx rejects ${description} with ${status}`, async (t) => {
    const isSecure = description.endsWith("HTTPS port");
    const wire = openWire(isSecure ? proxy.securePort : proxy.port);
    t.after(() => wire.destroy());
    wire.write(`${request}\r\n`);
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
  await startServer(t, ["--port", `${ports[1]}`]);
  assertEquals((await send("/healthz")).status, 200);
});

test("nginx retries a 503 on the other instance", async (t) => {
  const unavailable = await startStub(t, (_, response) => {
    response.writeHead(503).end();
  });
  const half = await startNginx(t, [unavailable.port, stub.port]);
  for (let round = 0; round < 4; round++) {
    assertEquals((await half.send("/plants")).status, 200);
  }
  assertEquals(stub.requests.splice(0).length, 4);
});

test("nginx limits an IPv4 address or a /64 IPv6 network to a burst of 41 requests, then returns 429", async (t) => {
  const { send } = await startNginx(t, [stub.port], {
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
    const rejected = responses.filter(({ status }) => status !== 200);
    assertEquals(60 - rejected.length, accepted, addresses.join());
    for (const response of rejected) await assertError(response, 429);
  }
  stub.requests.splice(0);
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
  const { send } = await startNginx(t, [slow.port]);
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
  for (const framing of [{}, { "transfer-encoding": "chunked" }]) {
    const options = { method: "POST", body, headers: framing };
    const { headers } = await forward("/plants", options);
    assertEquals(headers["content-length"], undefined);
    assertEquals(headers["transfer-encoding"], undefined);
    await forward("/plants");
  }
});

test("nginx replaces the forwarding headers of the client", async () => {
  const { headers } = await forward("/plants", {
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
  assertEquals(headers["authorization"], CURATOR.authorization);
  assertEquals(headers["host"], HOST);
  assertEquals(headers["x-forwarded-for"], "192.0.2.1");
  assertEquals(headers["x-forwarded-host"], HOST);
  assertEquals(headers["x-forwarded-proto"], "https");
  assertEquals(headers["forwarded"], undefined);
});

test("nginx forwards a valid X-Request-Id and replaces others", async () => {
  const generated = /^[0-9a-f]{32}$/;
  for (
    const [id, expected] of [
      ["Az09._-", /^Az09\._-$/],
      ["x".repeat(64), /^x{64}$/],
      ["x".repeat(65), generated],
      ["\u00e9", generated],
      [undefined, generated],
      ["demo-curator", generated], // the token of the request
      ["demo-curato", /^demo-curato$/],
      [`ps_${"x".repeat(43)}`, generated],
    ] as const
  ) {
    const header = id === undefined ? {} : { "x-request-id": id };
    const options = { headers: { ...CURATOR, ...header } };
    const { headers } = await forward("/plants", options);
    assertMatch(`${headers["x-request-id"]}`, expected, id);
  }
});

test("nginx logs requests without queries, tokens, and headers", async (t) => {
  const secret = "a-secret-token";
  const ports = [await findPort(), await findPort()] as const;
  const nginx = await startNginx(t, ports);
  for (const path of ["/plants", `/plants/${"x".repeat(43)}/a`]) {
    await nginx.send(`${path}?access_token=${secret}`, {
      headers: {
        "authorization": `Bearer ${secret}`,
        "referer": `http://a.example/?token=${secret}`,
        "cookie": secret,
        "user-agent": secret,
        "x-request-id": "mine",
      },
    });
  }

  // nginx writes a line after it has sent the response.
  let log = "";
  await until(async () => {
    log = await readLog(nginx);
    return log.split("\n").length > 2;
  });
  // The two workers write in any order.
  const [line, long] = log.trim().split("\n").map((line) => JSON.parse(line))
    .sort((one, other) => one.path.length - other.path.length);
  assertEquals(long.path, "/plants/...");
  const { time, seconds, bytes, instances, ...rest } = line;
  assert(Date.parse(time) <= Date.now() && seconds >= 0 && bytes > 0);
  const addresses = ports.map((port) => `127.0.0.1:${port}`).sort();
  assertEquals(instances.split(", ").sort(), addresses);
  assertEquals(rest, {
    client: "127.0.0.1",
    method: "GET",
    path: "/plants",
    status: 502,
    requestId: "mine",
    statuses: "502, 502",
  });
  assert(!log.includes(secret));
  assertEquals(await readLog(nginx, "error"), "");
});

// The shipped timeouts take 5 and 10 seconds.
describe("nginx with timeouts of 1 second", { concurrency: true }, () => {
  it("closes connections on which a request or a response is slow", async (t) => {
    const size = 64 * 2 ** 20;
    const { port, requests } = await startStub(t, (_, response) => {
      response.end(Buffer.alloc(size));
    });
    const slow = await startNginx(t, [port], {
      "client_header_timeout 10s;": "client_header_timeout 1s;",
      "client_body_timeout 10s;": "client_body_timeout 1s;",
      "send_timeout 10s;": "send_timeout 1s;",
    });
    const starts = ["", VALID, `${VALID}Content-Length: 9\r\n\r\n`];
    const wires = [...starts, `${VALID}\r\n`].map((request) => {
      const wire = openWire(slow.port);
      wire.write(request);
      return wire;
    });
    const [, header, , reader] = wires;
    const timer = setInterval(() => header!.write("X: y\r\n"), 100);
    t.after(() => clearInterval(timer));
    reader!.pause();
    // nginx writes a line after it has closed the connection.
    await until(async () => (await readLog(slow)).includes('"status":200'));
    reader!.resume();
    const received = await Promise.all(wires.map(({ closed }) => closed));
    assertEquals(received.slice(0, 3), ["", "", ""]);
    assert(received[3]!.length < size / 2);
    assertEquals(requests.length, 1);
  });

  it("returns 504 when neither instance responds", async (t) => {
    const silent = await startStub(t, () => {});
    const { send } = await startNginx(t, [silent.port], {
      "proxy_read_timeout 5s;": "proxy_read_timeout 1s;",
    });
    await assertError(await send("/plants"), 504);
    assertEquals(silent.requests.length, 2);
  });
});
