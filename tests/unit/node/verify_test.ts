import { createServer } from "node:http";
import { connect, createServer as createNetServer } from "node:net";
import { test, type TestContext } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
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
 * server, or the returned response to the client, or nothing.
 */
type Change = (request: string) => string;

/** Starts a proxy in front of the correct server, and returns its URL. */
async function openProxy(t: TestContext, change: Change): Promise<string> {
  const correct = await serve(openMemory(), { port: 0 });
  t.after(() => correct.close({ shutdownTimeout: 0 }));
  const proxy = createNetServer((client) => {
    const server = connect(portOf(correct), "127.0.0.1");
    for (const socket of [client, server]) socket.on("error", () => {});
    t.after(() => client.destroy());
    client.setEncoding("latin1").once("data", (data: string) => {
      const changed = change(data);
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
      /^the first request failed: status 101 changes the protocol$/,
    ],
    [
      "a part of a body",
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[]",
      /^the first request failed: the connection closed before the end/,
    ],
    [
      "more than a body",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n[]",
      /^the first request failed: bytes follow the response; Content-Length/,
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

test("verify: a response that never ends is an error", async (t) => {
  const server = createServer((_, response) => void response.write("["));
  const url = `http://127.0.0.1:${await listen(t, server)}`;
  const { results, error } = await run(url, { timeout: 300 });
  assertMatch(error, /no response within 0.3 s$/);
  assertEquals(results, []);
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

test("verify: a body in response to HEAD is found", async (t) => {
  const url = await openProxy(t, (text) => text.replace(/^HEAD/, "GET"));
  const { failedIds } = await run(url, { bail: true, only: ["head"] });
  assertEquals(failedIds, ["head.list"]);
});
