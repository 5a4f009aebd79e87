import { after, describe, it } from "node:test";
import { assertEquals } from "@std/assert";
import { exchange, openWire, parseResponses } from "../../contract/wire.ts";
import { get } from "./attack.ts";
import { startVictim } from "./victim.ts";

// Requests that two servers could delimit differently. Each one is followed by,
// or contains, a request for /hidden, which must not get a response.

const HIDDEN = get("/hidden");
const LENGTH = HIDDEN.length;
const CHUNKED = "Transfer-Encoding: chunked\r\n";
const END = "0\r\n\r\n";
const CHUNK = `${LENGTH.toString(16)}\r\n${HIDDEN}\r\n`;

const chunkWith = (extension: string) =>
  CHUNK.replace("\r\n", `${extension}\r\n`) + END;

/** Headers and bodies of invalid requests. */
const INVALID: Readonly<Record<string, readonly [string, string?]>> = {
  "Content-Length, then Transfer-Encoding": [
    `Content-Length: ${LENGTH}\r\n${CHUNKED}`,
    END,
  ],
  "Transfer-Encoding, then Content-Length": [
    `${CHUNKED}Content-Length: 4\r\n`,
    END,
  ],
  "two lengths": [`Content-Length: 0\r\nContent-Length: ${LENGTH}\r\n`],
  "the same length twice": ["Content-Length: 0\r\nContent-Length: 0\r\n"],
  "a list of lengths": [`Content-Length: 0, ${LENGTH}\r\n`],
  "a list of the same length": ["Content-Length: 0, 0\r\n"],
  "a length with a sign": ["Content-Length: +0\r\n"],
  "a negative length": ["Content-Length: -1\r\n"],
  "a hexadecimal length": ["Content-Length: 0x0\r\n"],
  "a fractional length": ["Content-Length: 0.0\r\n"],
  "a length that ends with a letter": ["Content-Length: 0a\r\n"],
  "an empty length": ["Content-Length:\r\n"],
  "a length over 64 bits": ["Content-Length: 18446744073709551616\r\n"],
  "a space before the colon": [`Content-Length : ${LENGTH}\r\n`],
  "a space in a header name": [`Content Length: ${LENGTH}\r\n`],
  "xchunked": ["Transfer-Encoding: xchunked\r\n", END],
  "chunked, chunked": ["Transfer-Encoding: chunked, chunked\r\n", END],
  "chunked in two headers": [`${CHUNKED}${CHUNKED}`, END],
  "chunked, identity": ["Transfer-Encoding: chunked, identity\r\n"],
  "identity": ["Transfer-Encoding: identity\r\n"],
  "identity, then chunked": [
    `Transfer-Encoding: identity\r\n${CHUNKED}`,
    END,
  ],
  "a quoted coding": ['Transfer-Encoding: "chunked"\r\n', END],
  "a coding with a parameter": ["Transfer-Encoding: chunked;a=b\r\n", END],
  "an empty coding": ["Transfer-Encoding:\r\n"],
  "a vertical tab before the coding": ["Transfer-Encoding:\vchunked\r\n", END],
  "a space before the colon of the coding": [
    "Transfer-Encoding : chunked\r\n",
    END,
  ],
  "a bare line feed": [`X: y\nContent-Length: ${LENGTH}\r\n`],
  "a bare carriage return": [`X: y\rContent-Length: ${LENGTH}\r\n`],
  "a folded length": [`Content-Length:\r\n ${LENGTH}\r\n`],
  "a folded coding": ["Transfer-Encoding:\r\n chunked\r\n", END],
  "a fold before the first header": [" X: y\r\n"],
  "a NUL in a header name": [`Content-Length\0: ${LENGTH}\r\n`],
  "a header without a colon": ["Content-Length\r\n"],
};

/** Invalid request lines. */
const INVALID_LINES: Readonly<Record<string, string>> = {
  "a bare line feed after the request line": "GET /plants HTTP/1.1\nHost: h",
  "a tab in the request line": "GET\t/plants HTTP/1.1\r\nHost: h",
  "a NUL in the target": "GET /pl\0ants HTTP/1.1\r\nHost: h",
  "the HTTP/2 preface": "PRI * HTTP/2.0\r\n\r\nSM",
  "a version in lower case": "GET /plants http/1.1\r\nHost: h",
  "a version with three numbers": "GET /plants HTTP/1.1.1\r\nHost: h",
};

/** Headers and bodies of requests that get their own response. */
const VALID: Readonly<Record<string, readonly [string, string]>> = {
  "a request in the body": [
    `Content-Length: ${LENGTH}\r\nConnection: close\r\n`,
    HIDDEN,
  ],
  "a request in a chunk": [CHUNKED, CHUNK + END],
  "CHUNKED": ["Transfer-Encoding: CHUNKED\r\n", CHUNK + END],
  "a chunk extension": [CHUNKED, chunkWith(";a=b")],
  "a chunk extension with a quoted end of line": [
    CHUNKED,
    chunkWith(';a="\r\n"'),
  ],
  "a chunk extension with a bare line feed": [CHUNKED, chunkWith(";a\n")],
  "a chunk size with a sign": [CHUNKED, "+0\r\n\r\n"],
  "a chunk size with 0x": [CHUNKED, "0x0\r\n\r\n"],
  "a chunk size over 64 bits": [CHUNKED, "10000000000000000\r\n\r\n"],
  "a chunk size that ends with a bare line feed": [CHUNKED, "0\n\n"],
  "a chunk longer than its size": [CHUNKED, `1\r\nab\r\n${END}`],
  "a length in a trailer": [CHUNKED, `0\r\nContent-Length: ${LENGTH}\r\n\r\n`],
  "an invalid trailer": [CHUNKED, "0\r\nX y\r\n\r\n"],
  "an upgrade": [
    "Connection: upgrade, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
    HIDDEN,
  ],
  "an expectation": [
    `Expect: 100-continue\r\nContent-Length: ${LENGTH}\r\n`,
    HIDDEN,
  ],
};

const victim = await startVictim({ after });

/** Asserts that the server sends one response and closes the connection. */
async function assertOneResponse(
  request: string,
  status: number,
): Promise<void> {
  const bytes = request + HIDDEN;
  const cuts = [bytes.length, request.length, 40];
  await Promise.all(cuts.map(async (cut) => {
    const wire = openWire(victim.port);
    wire.write(bytes.slice(0, cut));
    // After this response, the server has read the first part.
    await exchange(victim.port, get("/healthz", "Connection: close\r\n"));
    wire.write(bytes.slice(cut));
    const received = await wire.closed;
    const responses = parseResponses(received, ["GET", "GET"]);
    assertEquals(responses.map(({ status }) => status), [status], received);
    assertEquals(responses[0]!.headers.get("connection"), "close");
  }));
}

describe("smuggling", { concurrency: true }, () => {
  for (const [name, [headers, body = ""]] of Object.entries(INVALID)) {
    it(`${name}: 400, then the connection closes`, () =>
      assertOneResponse(get("/plants", headers) + body, 400));
  }
  for (const [name, start] of Object.entries(INVALID_LINES)) {
    it(`${name}: 400, then the connection closes`, () =>
      assertOneResponse(`${start}\r\n\r\n`, 400));
  }
  for (const [name, [headers, body]] of Object.entries(VALID)) {
    it(`${name}: 200, then the connection closes`, () =>
      assertOneResponse(get("/plants?limit=1", headers) + body, 200));
  }

  it("a body on a connection that stays open is not a request", async () => {
    const wire = openWire(victim.port);
    const length = `Content-Length: ${LENGTH}\r\n`;
    wire.write(get("/plants?limit=0", length) + HIDDEN);
    wire.write(get("/plants?limit=1", "Connection: close\r\n"));
    const responses = parseResponses(await wire.closed, ["GET", "GET"]);
    assertEquals(responses.map(({ status }) => status), [200, 200]);
    assertEquals(responses[0]!.body, "[]");
  });
});
