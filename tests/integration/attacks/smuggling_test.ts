import { after, describe, it } from "node:test";
import { assertEquals } from "@std/assert";
import { exchange, openWire, parseResponses } from "../../contract/wire.ts";
import { startServer } from "../../support/command.ts";
import { get } from "./attack.ts";

// Requests that two servers could delimit differently. Each one is followed by,
// or contains, a request for /hidden, which must not get a response.

const HIDDEN = get("/hidden");
const LENGTH = `Content-Length: ${HIDDEN.length}`;
const CHUNKED = "Transfer-Encoding: chunked";
const END = "0\r\n\r\n";
const SIZE = HIDDEN.length.toString(16);

/** Headers of invalid requests. */
const INVALID: readonly string[] = [
  `${LENGTH}\r\n${CHUNKED}`,
  `${CHUNKED}\r\nContent-Length: 4`,
  `Content-Length: 0\r\n${LENGTH}`,
  "Content-Length: 0\r\nContent-Length: 0",
  `Content-Length: 0, ${HIDDEN.length}`,
  "Content-Length: 0, 0",
  "Content-Length: +0",
  "Content-Length: -1",
  "Content-Length: 0x0",
  "Content-Length: 0.0",
  "Content-Length: 0a",
  "Content-Length:",
  "Content-Length: 18446744073709551616",
  "Content-Length : 0",
  "Content Length: 0",
  "Content-Length",
  "Content-Length\0: 0",
  "Content-Length:\r\n 0",
  "Transfer-Encoding: xchunked",
  "Transfer-Encoding: chunked, chunked",
  `${CHUNKED}\r\n${CHUNKED}`,
  "Transfer-Encoding: chunked, identity",
  "Transfer-Encoding: identity",
  `Transfer-Encoding: identity\r\n${CHUNKED}`,
  'Transfer-Encoding: "chunked"',
  "Transfer-Encoding: chunked;a=b",
  "Transfer-Encoding:",
  "Transfer-Encoding:\vchunked",
  "Transfer-Encoding : chunked",
  "Transfer-Encoding:\r\n chunked",
  `X: y\n${LENGTH}`,
  `X: y\r${LENGTH}`,
];

/** Invalid first lines. */
const INVALID_LINES: readonly string[] = [
  "GET /plants HTTP/1.1\nHost: h",
  "GET\t/plants HTTP/1.1\r\nHost: h",
  "GET /pl\0ants HTTP/1.1\r\nHost: h",
  "GET /plants http/1.1\r\nHost: h",
  "GET /plants HTTP/1.1.1\r\nHost: h",
  "GET /plants HTTP/1.1\r\n Host: h",
  "PRI * HTTP/2.0\r\n\r\nSM",
];

/** Headers and bodies of requests that get their own response. */
const VALID: readonly (readonly [headers: string, body: string])[] = [
  [`${LENGTH}\r\nConnection: close`, HIDDEN],
  [LENGTH, HIDDEN],
  [CHUNKED, `${SIZE}\r\n${HIDDEN}\r\n${END}`],
  ["Transfer-Encoding: CHUNKED", `${SIZE}\r\n${HIDDEN}\r\n${END}`],
  [CHUNKED, `${SIZE};a=b\r\n${HIDDEN}\r\n${END}`],
  [CHUNKED, `${SIZE};a="\r\n"\r\n${HIDDEN}\r\n${END}`],
  [CHUNKED, `${SIZE};a\n\r\n${HIDDEN}\r\n${END}`],
  [CHUNKED, "+0\r\n\r\n"],
  [CHUNKED, "0x0\r\n\r\n"],
  [CHUNKED, "10000000000000000\r\n\r\n"],
  [CHUNKED, "0\n\n"],
  [CHUNKED, `1\r\nab\r\n${END}`],
  [CHUNKED, `0\r\n${LENGTH}\r\n\r\n`],
  [CHUNKED, "0\r\nX y\r\n\r\n"],
  ["Connection: upgrade, close\r\nUpgrade: h2c", HIDDEN],
  [`Expect: 100-continue\r\n${LENGTH}`, HIDDEN],
];

const { port } = await startServer({ after });

/** Asserts that the server sends one response and closes the connection. */
function testOneResponse(request: string, status: number): void {
  it(`${status} for ${JSON.stringify(request)}`, async () => {
    const bytes = request + HIDDEN;
    const cuts = [bytes.length, request.length, 40];
    await Promise.all(cuts.map(async (cut) => {
      const wire = openWire(port);
      wire.write(bytes.slice(0, cut));
      // After this response, the server has read the first part.
      await exchange(port, get("/healthz", "Connection: close\r\n"));
      wire.write(bytes.slice(cut));
      const received = await wire.closed;
      const responses = parseResponses(received, ["GET", "GET"]);
      assertEquals(responses.map(({ status }) => status), [status], received);
      assertEquals(responses[0]!.headers.get("connection"), "close");
    }));
  });
}

describe("smuggling", { concurrency: true }, () => {
  for (const headers of INVALID) {
    testOneResponse(get("/plants", `${headers}\r\n`), 400);
  }
  for (const start of INVALID_LINES) testOneResponse(`${start}\r\n\r\n`, 400);
  for (const [headers, body] of VALID) {
    testOneResponse(get("/plants?limit=1", `${headers}\r\n`) + body, 200);
  }
});
