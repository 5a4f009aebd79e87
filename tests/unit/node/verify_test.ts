import { createServer, type RequestListener } from "node:http";
import {
  connect,
  createServer as createNetServer,
  type Server,
  type Socket,
} from "node:net";
import { test, type TestContext } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createNodeListener } from "../../../src/server/node.ts";
import { serve } from "../../../src/server/serve.ts";
import {
  type CaseResult,
  listCases,
  verify,
  type VerifyOptions,
} from "../../../src/verify/verify.ts";
import { openMemory } from "../../contract/setups.ts";
import { listen } from "../../support/port.ts";
import { portOf } from "../../support/server.ts";

/** Verifies a server. Returns the results, and the error that prevents them. */
async function run(target: string, options: VerifyOptions = {}) {
  const results: CaseResult[] = [];
  let error = "";
  try {
    for await (const result of verify(target, options)) results.push(result);
  } catch (thrown) {
    error = (thrown as Error).message;
  }
  const failed = results.filter(({ status }) => status === "failed");
  return { results, failed, error };
}

/** Starts a server that the test stops, and returns its URL. */
const open = async (t: TestContext, server: Server): Promise<string> =>
  `http://127.0.0.1:${await listen(t, server)}`;

type OnData = (socket: Socket, data: string) => void;

/** Starts a server whose connections all do the same. */
function openRaw(t: TestContext, onData: OnData): Promise<string> {
  const server = createNetServer((socket) => {
    t.after(() => socket.destroy());
    socket.on("error", () => {})
      .on("data", (data) => onData(socket, data.toString("latin1")));
  });
  return open(t, server);
}

/** Starts a server that changes requests to a correct listener, or responses. */
function openChanged(
  t: TestContext,
  change: (...args: Parameters<RequestListener>) => boolean | void,
): Promise<string> {
  const correct = createNodeListener(openMemory());
  // The listener reads the headers that `change` sets, not the raw ones.
  const options = { joinDuplicateHeaders: true };
  const server = createServer(options, (message, response) => {
    if (change(message, response) !== false) void correct(message, response);
  });
  return open(t, server);
}

/** Responds with a status, headers, and a body. */
const always = (start: string, body = ""): OnData => (socket) =>
  void socket.end(
    `HTTP/1.1 ${start}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );

for (
  const [name, onData, message] of [
    [
      "a redirect",
      always("302 Found\r\nLocation: /login"),
      /^GET \/plants returned 302 to \/login and no Content-Type;/,
    ],
    [
      "a page",
      always("200 OK\r\nContent-Type: text/html", "<p>"),
      /returned 200 and text\/html; .* base path$/,
    ],
    [
      "another protocol",
      always("101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x"),
      /returned 101 and/,
    ],
    ["a truncated body", (socket) => {
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[]");
    }, /^no response: aborted$/],
    ["a long body", always("200", "x".repeat(1_100_000)), /exceeds 1 MB$/],
  ] satisfies readonly (readonly [string, OnData, RegExp])[]
) {
  test(`verify: a server that always returns ${name} is not this API`, async (t) => {
    const url = await openRaw(t, onData);
    const { results, error } = await run(url);
    assertMatch(error, message);
    assertEquals(results, []);
  });
}

test("verify: a server that rejects everything passes few test cases", async (t) => {
  const start = '401 x\r\nWWW-Authenticate: Bearer realm="plant-store"';
  const body = '{"error":401,"message":"an error message"}';
  const { results } = await run(await openRaw(t, always(start, body)));
  assertEquals(results.length, listCases().length);
  const passed = results.filter(({ status }) => status === "passed");
  assert(passed.length < results.length / 5, `${passed.map(({ id }) => id)}`);
});

test("verify: skips the rest after ten timeouts, and if the server has gone", async (t) => {
  let count = 0;
  const silent = await openChanged(t, () => count++ % 2 === 0);
  const timeouts = await run(silent, { timeout: 50 });
  const reasons = timeouts.failed.map(({ differences: [first] }) => first!);
  assertEquals(
    reasons.map(({ location }) => location).join(),
    "response,".repeat(9) + "response",
  );
  assertEquals(reasons[0]?.actual, "none: nothing within 0.05 s");
  assertEquals(timeouts.results.length, listCases().length);

  const crashing = createServer((message, response) => {
    if (message.url!.includes("limit=-1")) {
      crashing.close().closeAllConnections();
    } else void createNodeListener(openMemory())(message, response);
  });
  const { results, failed } = await run(await open(t, crashing));
  assertEquals(failed.map(({ id }) => id), [
    "limit.rejected.negative",
    "limit.rejected.minus-zero",
  ]);
  assertEquals(results.at(-1)?.status, "skipped");
});

test("verify: the server passes with a base path", async (t) => {
  const server = await serve(openMemory(), { port: 0, basePath: "/api/v1" });
  t.after(() => server.close());
  const { results, error } = await run(server.url);
  assertEquals(results.filter(({ status }) => status !== "passed"), []);
  assertEquals([results.length, error], [listCases().length, ""]);
});

test("verify: sends heads of exact sizes, headers, and other tokens", async (t) => {
  const heads: string[] = [];
  const url = await openRaw(t, (socket, data) => {
    heads.push(data);
    always("200 OK", "[]")(socket, data);
  });
  const headers = { "X-Key": "k3y" };
  const tokens = { all: "s3cret" };
  const { results } = await run(`${url}/base`, {
    ...{ only: ["size", "access.ferns"], headers, tokens },
  });
  assert(heads.every((head) => head.includes("\r\nX-Key: k3y\r\n")));
  assert(!heads.some((head) => head.includes("test-")));
  const targets = heads.map((head) => head.split(" ")[1]!.length);
  assertEquals(targets.filter((length) => length > 100), [
    8192,
    8193,
    8193,
    8193,
  ]);
  const sizes = heads.filter((head) => /^X-Filler/m.test(head))
    .map(({ length }) => length);
  assertEquals(sizes, [16384, 16448]);
  const skipped = results.filter(({ status }) => status === "skipped");
  assertEquals(skipped.map(({ id }) => id), ["access.ferns"]);
  assert(!/s3cret|k3y/.test(JSON.stringify(results)));
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
      ? request.replace("\r\n", "\r\nAuthorization: Bearer test-all\r\n")
      : request,
};

/** Starts a proxy, which changes the first request of each connection. */
function openProxy(
  t: TestContext,
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

/** When the first request arrived, in milliseconds since the Unix epoch. */
let firstRequest: number | undefined;

/** Faults of servers that only several requests reveal. */
const CHANGES: Readonly<Record<string, Parameters<typeof openChanged>[1]>> = {
  "credentials.same-connection: credentials of a connection": (message) => {
    const socket = message.socket as Socket & { authorization?: string };
    const { authorization = socket.authorization } = message.headers;
    if (authorization === undefined) return;
    socket.authorization = message.headers.authorization = authorization;
  },
  "conditional.later: an ETag that changes each second": (
    message,
    response,
  ) => {
    firstRequest ??= Date.now();
    const suffix = `-${Math.floor((Date.now() - firstRequest) / 1_000)}"`;
    const known = message.headers["if-none-match"];
    if (known) message.headers["if-none-match"] = known.replaceAll(suffix, '"');
    const { writeHead } = response;
    response.writeHead = (status: number, ...args: unknown[]) => {
      const all = (args.at(-1) as string[])
        .map((value) => value.replace(/^("\w{32})"$/, `$1${suffix}`));
      return writeHead.call(response, status, all);
    };
  },
};

test("verify: finds faults of servers", async (t) => {
  const server = await serve(openMemory(), { port: 0 });
  t.after(() => server.close());
  const port = portOf(server);
  const urls = Object.entries(FAULTS)
    .map(([fault, change]) => [fault, openProxy(t, port, change)] as const)
    .concat(
      Object.entries(CHANGES)
        .map(([fault, change]) => [fault, openChanged(t, change)] as const),
    );
  for (const [fault, url] of urls) {
    await t.test(fault, async () => {
      const [id = ""] = fault.split(":");
      const skip = fault in CHANGES ? ["size", "expect", "host.missing"] : [];
      const { failed } = await run(await url, { bail: true, skip });
      assertEquals(failed.map(({ id }) => id), [id]);
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
  const { failed } = await run(url, { only: ["ignored.body-before-next"] });
  assertEquals(failed.length, 1);
});
