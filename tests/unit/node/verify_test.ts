import { createServer } from "node:http";
import { connect, createServer as createNetServer } from "node:net";
import { test, type TestContext } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHandler } from "../../../mod.ts";
import { createNodeListener } from "../../../src/server/node.ts";
import { serve } from "../../../src/server/serve.ts";
import {
  type CaseResult,
  type FetchHandler,
  listCases,
  verify,
  type VerifyOptions,
} from "../../../src/verify/verify.ts";
import { openMemory } from "../../contract/setups.ts";
import { listen } from "../../../tools/port.ts";
import { portOf } from "../../support/server.ts";

/** Runs the test cases. Returns the results, and the error that prevents them. */
async function run(target: string | FetchHandler, options: VerifyOptions = {}) {
  const results: CaseResult[] = [];
  let error = "";
  try {
    for await (const result of verify(target, options)) results.push(result);
  } catch (thrown) {
    error = (thrown as Error).message;
  }
  const failed = results.filter(({ status }) => status === "failed");
  return { results, failed, error, failedIds: failed.map(({ id }) => id) };
}

/**
 * What a proxy does with a request: it sends the returned request to the correct
 * server, or the returned response to the client, or nothing. The second argument is
 * what the client sent before on the connection.
 */
type Change = (request: string, before: string) => string;

/** Starts a proxy in front of the correct server, and returns its URL. */
async function openProxy(t: TestContext, change: Change): Promise<string> {
  const correct = await serve(openMemory(), { port: 0 });
  t.after(() => correct.close({ shutdownTimeout: 0 }));
  const proxy = createNetServer((client) => {
    const server = connect(portOf(correct), "127.0.0.1");
    for (const socket of [client, server]) socket.on("error", () => {});
    t.after(() => client.destroy());
    let before = "";
    let request = "";
    client.setEncoding("latin1").on("data", (data: string) => {
      if (before !== "" && !/^[A-Z]+ /.test(data)) { // the rest of a body
        server.write(data, "latin1");
        return;
      }
      request += data;
      if (!request.includes("\r\n\r\n")) return;
      const changed = change(request, before);
      before += request;
      request = "";
      if (changed.startsWith("HTTP/")) client.end(changed);
      else server.write(changed, "latin1");
    });
    server.pipe(client);
  });
  return `http://127.0.0.1:${await listen(t, proxy)}`;
}

/** Returns a response that closes the connection. */
const respond = (start: string | number, body = "") =>
  `HTTP/1.1 ${start}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;

for (
  const [name, response, message] of [
    [
      "a redirect",
      respond("302 Found\r\nLocation: /login"),
      /^GET \/plants returned 302 to \/login and no Content-Type;/,
    ],
    [
      "a page",
      respond("200 OK\r\nContent-Type: text/html", "<p>"),
      /returned 200 and text\/html; .* base path$/,
    ],
    [
      "a text",
      respond("503 x\r\nContent-Type: text/plain", "503 x"),
      /returned 503 and text\/plain; .* base path$/,
    ],
    [
      "another protocol",
      "HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
      /returned 101 and/,
    ],
    ["a long body", respond(200, "x".repeat(1_100_000)), /exceeds 1 MB$/],
  ] as const
) {
  test(`verify: a server that always returns ${name} is not this API`, async (t) => {
    const { results, error } = await run(await openProxy(t, () => response));
    assertMatch(error, message);
    assertEquals(results, []);
  });
}

/** Starts a server whose correct responses are changed, and returns its URL. */
async function openChanged(
  t: TestContext,
  change: (body: string, target: string) => string,
  isClosing = true,
): Promise<string> {
  const correct = createHandler(openMemory());
  const server = createServer(async ({ url = "", headers }, { socket }) => {
    const { authorization = "" } = headers;
    const found = await correct(url, { headers: { authorization } });
    socket!.write(
      `HTTP/1.1 ${found.status} x\r\nContent-Type: application/json\r\n` +
        change(await found.text(), url),
    );
    if (isClosing) socket!.end();
  });
  return `http://127.0.0.1:${await listen(t, server)}`;
}

test("verify: a response that never ends is an error", async (t) => {
  const url = await openChanged(t, (body) => `\r\n${body}`, false);
  const { results, error } = await run(url, { timeout: 300 });
  assertMatch(error, /no response within 0.3 s$/);
  assertEquals(results, []);
});

/** Wrong messages, by the explanation of verify. The tag is the only emoji. */
const MESSAGES: Readonly<Record<string, (body: string) => string>> = {
  "8 bytes after the end of the body; Content-Length counts bytes, not characters":
    (body) => `Content-Length: ${body.length}\r\n\r\n${body}`,
  "the connection closed before the end of the response": (body) =>
    `Content-Length: ${body.length * 2}\r\n\r\n${body}`,
  'invalid chunk size "x"': (body) =>
    `Transfer-Encoding: chunked\r\n\r\nx\r\n${body}\r\n0\r\n\r\n`,
  "a chunk does not end with CRLF": (body) => {
    const size = Buffer.byteLength(body).toString(16);
    return `Transfer-Encoding: chunked\r\n\r\n${size}\r\n${body}XX0\r\n\r\n`;
  },
  'invalid header "X: \\u0001"': (body) =>
    `X: \x01\r\nContent-Length: 0\r\n\r\n${body}`,
};

for (const [problem, toMessage] of Object.entries(MESSAGES)) {
  test(`verify: ${problem}`, async (t) => {
    const url = await openChanged(
      t,
      (body, target) =>
        target === "/plants"
          ? toMessage(body)
          : `Connection: close\r\n\r\n${body}`,
    );
    const only = ["list.all", "limit.two"];
    const { failed, results, error } = await run(url, { only });
    assertEquals(error, "");
    const expected = "a response that can be parsed";
    assertEquals(failed.map(({ id, differences }) => [id, differences]), [
      ["list.all", [{ location: "response", expected, actual: problem }]],
    ]);
    assertEquals(results.map(({ status }) => status), ["failed", "passed"]);
  });
}

test("verify: headers with LF instead of CRLF are an error", async (t) => {
  const url = await openProxy(t, () => respond(200, "[]").replaceAll("\r", ""));
  const { error } = await run(url);
  assertEquals(error, "the first request failed: lines end with LF, not CRLF");
});

test("verify: thousands of interim responses can precede a response", async (t) => {
  const interim = "HTTP/1.1 103 x\r\n\r\n".repeat(20_000);
  const url = await openProxy(
    t,
    () => interim + respond("200 OK\r\nContent-Type: text/html", "<p>"),
  );
  const { error } = await run(url);
  assertMatch(error, /returned 200 and text\/html;/);
});

test("verify: a handler that rejects everything passes nothing", async () => {
  const { results, error } = await run(() =>
    Response.json({ error: 401, message: "no" }, { status: 401 })
  );
  assertEquals(error, "GET /plants returned 401 and application/json");
  assertEquals(results, []);
});

test("verify: a rule is skipped if it applies to no response", async () => {
  const { results } = await run(() => Response.json([]), { only: ["every"] });
  const { status } = results.find(({ id }) => id === "every.challenge")!;
  assertEquals(status, "skipped");
});

test("verify: ends after ten timeouts, and if the server has gone", async (t) => {
  let count = 0;
  const silent = await openProxy(t, (text) => count++ % 2 === 0 ? text : "");
  const { failed, error } = await run(silent, { timeout: 1_000 });
  assertEquals(
    failed.map(({ differences: [first] }) => first?.actual),
    Array(10).fill("none: no response within 1 s"),
  );
  const message = "no more responses after the test case";
  assertEquals(error, `${message} ${failed.at(-1)!.id}`);

  const correct = createNodeListener(openMemory());
  const crashing = createServer((message, response) => {
    if (message.url!.includes("limit=-1")) {
      crashing.close().closeAllConnections();
    } else void correct(message, response);
  });
  const gone = await run(`http://127.0.0.1:${await listen(t, crashing)}`);
  const last = "limit.rejected.fraction";
  assertEquals(gone.failedIds, ["limit.rejected.negative", last]);
  assertEquals(gone.error, `${message} ${last}`);
});

test("verify: the server passes with a base path", async (t) => {
  const server = await serve(openMemory(), { port: 0, basePath: "/api/v1" });
  t.after(() => server.close());
  const { results, error } = await run(server.url);
  assertEquals(results.filter(({ status }) => status !== "passed"), []);
  assertEquals([results.length, error], [listCases().length, ""]);
});

test("verify: sends headers and other tokens", async (t) => {
  const heads: string[] = [];
  const url = await openProxy(t, (head) => {
    heads.push(head);
    return respond(200, '[{"name":"Monstera deliciosa"}]');
  });
  const { results } = await run(`${url}/base`, {
    only: ["method", "access.ferns"],
    headers: { "X-Key": "k3y" },
    tokens: { all: "s3cret" },
  });
  assert(heads.every((head) => head.includes("\r\nX-Key: k3y\r\n")));
  assert(!heads.some((head) => head.includes("test-")));
  assert(heads.some((head) => head.startsWith("PUT /base/plants ")));
  const skipped = results.filter(({ status }) => status === "skipped");
  assertEquals(skipped.map(({ id }) => id), ["access.ferns"]);
  assert(!/s3cret|k3y/.test(JSON.stringify(results)));
});

/** Adds a token to a request that starts with a line and has none. */
const addToken = (request: string, start: string) =>
  request.startsWith(start) && !/^Authorization/m.test(request)
    ? request.replace("\r\n", "\r\nAuthorization: Bearer test-all\r\n")
    : request;

/** Faults of servers, by the ID of the first test case in its group that fails. */
const FAULTS: Readonly<Record<string, Change>> = {
  "path.guarded.dots: dots before the credentials are checked": (request) =>
    addToken(request, "GET /x/../plants "),
};

for (const [fault, change] of Object.entries(FAULTS)) {
  test(`verify: ${fault}`, async (t) => {
    const [id = ""] = fault.split(":");
    const only = [id.split(".")[0]!];
    const url = await openProxy(t, change);
    const { failedIds } = await run(url, { bail: true, only });
    assertEquals(failedIds, [id]);
  });
}
