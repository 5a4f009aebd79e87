import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import {
  connect,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from "node:net";
import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  type CaseResult,
  listCases,
  verify,
  type VerifyOptions,
} from "../../../src/verify/verify.ts";
import {
  serve,
  type ServeOptions,
  type Server,
} from "../../../src/server/serve.ts";
import { openFiles } from "../../contract/stores.ts";
import { listen } from "../../support/port.ts";
import { portOf } from "../../support/server.ts";

type Context = { after(fn: () => unknown): void };

/** Verifies a service. Returns the results, and the error that ends the verification. */
async function run(target: string, options: VerifyOptions = {}) {
  const results: CaseResult[] = [];
  let error: Error | undefined;
  try {
    for await (const result of verify(target, options)) results.push(result);
  } catch (thrown) {
    error = thrown as Error;
  }
  return { results, error };
}

const failed = (results: readonly CaseResult[]) =>
  results.filter(({ status }) => status === "failed");

/** Starts a server that the test stops, and returns its URL. */
const open = async (t: Context, server: NetServer): Promise<string> =>
  `http://127.0.0.1:${await listen(t, server)}`;

/** Starts a server whose connections all do the same. */
async function openRaw(
  t: Context,
  onData: (socket: Socket, data: string) => void,
): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket))
      .on("data", (data) => onData(socket, data.toString("latin1")));
  });
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  return await open(t, server);
}

/** Responds with a status and a body. */
const always = (status: string, body = "") => (socket: Socket) =>
  void socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
const ERROR = '{"error":400,"message":"an error message"}';

/** Servers that implement nothing. */
const NOTHING: Readonly<
  Record<string, (socket: Socket, data: string) => void>
> = {
  "200 []": always("200 OK", "[]"),
  "204": always("204 No Content"),
  "400": always("400 Bad Request", ERROR),
  "401": always("401 Unauthorized", ERROR.replace("400", "401")),
  "401 and a challenge": always(
    '401 Unauthorized\r\nWWW-Authenticate: Bearer realm="plant-store"',
    ERROR.replace("400", "401"),
  ),
  "404": always("404 Not Found", ERROR.replace("400", "404")),
  "a redirect": always("302 Found\r\nLocation: /plants"),
  "an echo": (socket, data) => socket.write(data),
  "the request in a response": (socket, data) => always("200 OK", data)(socket),
  "random bytes": (socket) => socket.end(randomBytes(1_000)),
  "a truncated body": (socket) =>
    socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[]"),
  "a long body": always("200 OK", "x".repeat(1_100_000)),
  "a closed connection": (socket) => socket.destroy(),
};

for (const [name, onData] of Object.entries(NOTHING)) {
  test(`verify: a server that always returns ${name} passes few test cases`, async (t) => {
    const url = await openRaw(t, onData);
    const { results, error } = await run(url);
    if (error) assertMatch(error.message, /^no response: ./);
    assertEquals(results.length, listCases().length);
    for (const level of ["core", "http"]) {
      const own = results.filter((each) => each.level === level);
      const passed = own.filter(({ status }) => status === "passed");
      const ids = passed.map(({ id }) => id).join();
      assert(passed.length * 5 < own.length, ids);
    }
    const first = results.find(({ id }) => id === "list.all")!;
    assertEquals(first.status, "failed");
    const [difference = ""] = first.differences;
    assert(difference.length < 400);
    if (name === "a long body") {
      assertMatch(difference, /: the body exceeds 1 MB$/);
    }
  });
}

for (
  const [name, reason, onData] of [
    ["nothing", /^no response: .* within 0.2 s$/, () => {}],
    [
      "half a header",
      /within 0.2 s$/,
      (socket) => void socket.write("HTTP/1.1 200 OK\r\nX: "),
    ],
    ["a body that never ends", /within 0.2 s$|exceeds 1 MB/, (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const timer = setInterval(() => socket.write("x".repeat(10)), 10);
      socket.on("close", () => clearInterval(timer));
    }],
  ] satisfies readonly (readonly [string, RegExp, (socket: Socket) => void])[]
) {
  test(`verify: stops after five timeouts if a server sends ${name}`, async (t) => {
    const url = await openRaw(t, onData);
    const { results, error } = await run(url, { timeout: 200 });
    assert(error);
    assertMatch(results[0]!.differences[0]!, reason);
    assert(failed(results).length <= 5);
    assertEquals(results.length, listCases().length);
  });
}

test("verify: redirects are not followed", async (t) => {
  let count = 0;
  const url = await open(
    t,
    createServer((_, response) => {
      count++;
      response.writeHead(302, { location: "/" }).end();
    }),
  );
  const { results: [first] } = await run(url, { only: ["list.all"] });
  assertEquals(first?.differences, ["status: expected 200, got 302"]);
  assertEquals(count, 2);
});

/** Starts a correct server that the test stops. */
async function serveFiles(t: Context, options: ServeOptions): Promise<Server> {
  const store = await openFiles();
  t.after(() => store.close());
  const server = await serve(store, { port: 0, ...options });
  t.after(() => server.close());
  return server;
}

test("verify: the server passes with a base path", async (t) => {
  const { url } = await serveFiles(t, { basePath: "/api/v1" });
  const { results, error } = await run(url);
  assertEquals(results.filter(({ status }) => status !== "passed"), []);
  assertEquals([results.length, error], [listCases().length, undefined]);
});

/** Returns a response with a status and no body. */
const only = (status: number) =>
  `HTTP/1.1 ${status} x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;

/**
 * Faults of servers: what a proxy in front of the correct server does to a request,
 * or the response that it returns. The names start with the ID of the first test case
 * that fails.
 */
const FAULTS: Readonly<Record<string, (request: string) => string>> = {
  "size.target: no limit for targets": (request) =>
    request.replace(/^(.{8000})\S*/, "$1"),
  "size.target-allowed: a small limit for targets": (request) =>
    /^\S+ \S{4000}/.test(request) ? only(414) : request,
  "size.headers: no limit for headers": (request) =>
    request.replace(/^X-Filler: .*\r\n/m, ""),
  "coding.unsupported: any transfer coding": (request) =>
    request.replace("gzip, chunked", "chunked"),
  "coding.chunked: chunked requests are rejected": (request) =>
    /^Transfer-Encoding: chunked/m.test(request) ? only(411) : request,
  "expect.other: every Expect header": (request) =>
    request.replace(/^Expect: (?!100).*\r\n/m, ""),
  "expect.continue: Expect: 100-continue is rejected": (request) =>
    /^Expect: 100/m.test(request) ? only(417) : request,
  "host.missing: a missing Host": (request) =>
    /^Host:/m.test(request)
      ? request
      : request.replace("\r\n", "\r\nHost: h\r\n"),
  "options.asterisk: OPTIONS * is 404": (request) =>
    request.startsWith("OPTIONS *") ? only(404) : request,
  "path.found.absolute: absolute targets are unknown": (request) =>
    request.replace(/^GET http:\S*plants/, "GET /nope"),
  "ignored.body: bodies must be JSON": (request) =>
    request.includes("application/json") ? only(400) : request,
  "ignored.token-in-body: tokens in bodies": (request) =>
    request.includes("urlencoded")
      ? request.replace("\r\n", "\r\nAuthorization: Bearer all\r\n")
      : request,
};

/** Starts a proxy, which changes the first request of each connection. */
function openProxy(
  t: Context,
  port: number,
  change: (request: string) => string,
): Promise<string> {
  return open(
    t,
    createNetServer((client) => {
      const server = connect(port, "127.0.0.1");
      for (const socket of [client, server]) socket.on("error", () => {});
      let received = "";
      client.setEncoding("latin1").on("data", (data) => {
        if (received.includes("\r\n\r\n")) server.write(data, "latin1");
        else if ((received += data).includes("\r\n\r\n")) {
          const changed = change(received);
          if (changed.startsWith("HTTP/")) client.end(changed);
          else server.write(changed, "latin1");
        }
      });
      server.pipe(client);
    }),
  );
}

test("verify: finds faults of servers", async (t) => {
  const port = portOf(await serveFiles(t, {}));
  for (const [fault, change] of Object.entries(FAULTS)) {
    await t.test(fault, async () => {
      const url = await openProxy(t, port, change);
      for await (const result of verify(url)) {
        if (result.status !== "failed") continue;
        return assertEquals(result.id, fault.split(":")[0]);
      }
      throw new Error("no test case fails");
    });
  }
});

test("verify: finds a body that is read as the next request", async (t) => {
  const url = await openRaw(t, (socket, data) => {
    // Ignores Content-Length, so that a body is a request.
    const count = data.split("HTTP/1.1\r\n").length - 1;
    for (let index = 0; index < count; index++) {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]");
    }
    if (!/keep-alive/.test(data)) socket.end();
  });
  const { results } = await run(url, { only: ["ignored.body-before-next"] });
  assertEquals(failed(results).length, 1);
});
