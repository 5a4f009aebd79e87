import { after, before, describe, it } from "node:test";
import { assertEquals } from "@std/assert";
import { exchange, openWire, parseResponses } from "../../contract/wire.ts";
import { get } from "./attack.ts";
import { startVictim, type Victim } from "./victim.ts";

// What makes one server see one request and another server two. Behind each stands
// a request for a path of its own: had it been taken for a request, its answer
// would be there.

const HIDDEN = get("/hidden");
const LENGTH = HIDDEN.length;
const OTHER = get("/healthz", "Connection: close\r\n");
const chunk = (text: string, extension = "") =>
  `${text.length.toString(16)}${extension}\r\n${text}\r\n`;
const CHUNKED = "Transfer-Encoding: chunked\r\n";

let victim: Victim;
let end: () => unknown;
before(async () => {
  victim = await startVictim({ after: (stop) => end = stop });
});
after(() => end());

/** What has no meaning, or two: it is refused, and the connection ends. */
const REFUSED = {
  "both framings": [`Content-Length: ${LENGTH}\r\n${CHUNKED}`, `0\r\n\r\n`],
  "both framings, turned": [`${CHUNKED}Content-Length: 4\r\n`, `0\r\n\r\n`],
  "two lengths": [`Content-Length: 0\r\nContent-Length: ${LENGTH}\r\n`, ""],
  "the same length twice": ["Content-Length: 0\r\nContent-Length: 0\r\n", ""],
  "a list of lengths": [`Content-Length: 0, ${LENGTH}\r\n`, ""],
  "a list of the same length": ["Content-Length: 0, 0\r\n", ""],
  "a length with a sign": ["Content-Length: +0\r\n", ""],
  "a negative length": ["Content-Length: -1\r\n", ""],
  "a hexadecimal length": ["Content-Length: 0x0\r\n", ""],
  "a length with a fraction": ["Content-Length: 0.0\r\n", ""],
  "a length with a letter behind it": ["Content-Length: 0a\r\n", ""],
  "an empty length": ["Content-Length:\r\n", ""],
  "a length beyond 64 bits": [`Content-Length: 18446744073709551616\r\n`, ""],
  "a space before the colon": [`Content-Length : ${LENGTH}\r\n`, ""],
  "a space in the name": [`Content Length: ${LENGTH}\r\n`, ""],
  "xchunked": ["Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"],
  "chunked, chunked": ["Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"],
  "chunked twice": [`${CHUNKED}${CHUNKED}`, "0\r\n\r\n"],
  "chunked, identity": ["Transfer-Encoding: chunked, identity\r\n", ""],
  "identity": ["Transfer-Encoding: identity\r\n", ""],
  "identity, then chunked": [
    `Transfer-Encoding: identity\r\n${CHUNKED}`,
    "0\r\n\r\n",
  ],
  "quotes": ['Transfer-Encoding: "chunked"\r\n', "0\r\n\r\n"],
  "a parameter": ["Transfer-Encoding: chunked;a=b\r\n", "0\r\n\r\n"],
  "an empty coding": ["Transfer-Encoding:\r\n", ""],
  "a vertical tab": ["Transfer-Encoding:\vchunked\r\n", "0\r\n\r\n"],
  "a space before the colon of the coding": [
    "Transfer-Encoding : chunked\r\n",
    "0\r\n\r\n",
  ],
  "a bare line feed": [`X: y\nContent-Length: ${LENGTH}\r\n`, ""],
  "a bare carriage return": [`X: y\rContent-Length: ${LENGTH}\r\n`, ""],
  "a folded length": [`Content-Length:\r\n ${LENGTH}\r\n`, ""],
  "a folded coding": ["Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n"],
  "a fold before the first field": [" X: y\r\n", ""],
  "a NUL in a name": [`Content-Length\0: ${LENGTH}\r\n`, ""],
  "no colon": ["Content-Length\r\n", ""],
} as const;

/** What is no request line: the same. */
const MALFORMED = {
  "a bare line feed after the request line": "GET /plants HTTP/1.1\nHost: h",
  "a tab in the request line": "GET\t/plants HTTP/1.1\r\nHost: h",
  "a NUL in the target": "GET /pl\0ants HTTP/1.1\r\nHost: h",
  "the preface of HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM",
  "a version in lower case": "GET /plants http/1.1\r\nHost: h",
  "a version of three numbers": "GET /plants HTTP/1.1.1\r\nHost: h",
};

/** What is a request with a body: it is answered once, and its body is none. */
const ANSWERED = {
  "a body that is a request": [
    `Content-Length: ${LENGTH}\r\nConnection: close\r\n`,
    HIDDEN,
  ],
  "a chunk that is a request": [CHUNKED, `${chunk(HIDDEN)}0\r\n\r\n`],
  "CHUNKED": [
    "Transfer-Encoding: CHUNKED\r\n",
    `${chunk(HIDDEN)}0\r\n\r\n`,
  ],
  "an extension of a chunk": [
    CHUNKED,
    `${chunk(HIDDEN, ";a=b")}0\r\n\r\n${HIDDEN}`,
  ],
  "an extension with a quoted end of line": [
    CHUNKED,
    `${chunk(HIDDEN, ';a="\r\n"')}0\r\n\r\n${HIDDEN}`,
  ],
  "an extension with a bare line feed": [
    CHUNKED,
    `${chunk(HIDDEN, ";a\n")}0\r\n\r\n${HIDDEN}`,
  ],
  "a size with a sign": [CHUNKED, `+0\r\n\r\n${HIDDEN}`],
  "a size in 0x": [CHUNKED, `0x0\r\n\r\n${HIDDEN}`],
  "a size beyond 64 bits": [CHUNKED, `10000000000000000\r\n\r\n${HIDDEN}`],
  "a size that ends with a bare line feed": [CHUNKED, `0\n\n${HIDDEN}`],
  "a chunk longer than it says": [CHUNKED, `1\r\nab\r\n0\r\n\r\n${HIDDEN}`],
  "a trailer that is a length": [
    CHUNKED,
    `0\r\nContent-Length: ${LENGTH}\r\n\r\n${HIDDEN}`,
  ],
  "a trailer that is a bad field": [CHUNKED, `0\r\nX y\r\n\r\n${HIDDEN}`],
  "an upgrade": [
    "Connection: upgrade, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
    HIDDEN,
  ],
  "an expectation": [
    `Expect: 100-continue\r\nContent-Length: ${LENGTH}\r\n`,
    HIDDEN,
  ],
} as const;

describe("smuggling", { concurrency: true }, () => {
  for (const [id, [fields, body]] of Object.entries(REFUSED)) {
    it(`${id}: one refusal, and the connection ends`, () =>
      assertOneAnswer(get("/plants", fields) + body + HIDDEN, 400));
  }
  for (const [id, start] of Object.entries(MALFORMED)) {
    it(`${id}: one refusal, and the connection ends`, () =>
      assertOneAnswer(`${start}\r\n\r\n${HIDDEN}`, 400));
  }
  for (const [id, [fields, body]] of Object.entries(ANSWERED)) {
    it(`${id}: one answer, and the connection ends`, () =>
      assertOneAnswer(get("/plants?limit=1", fields) + body, 200));
  }

  it("a body on a connection that goes on is no request", async () => {
    const wire = openWire(victim.port);
    wire.write(
      get("/plants?limit=0", `Content-Length: ${LENGTH}\r\n`) + HIDDEN,
    );
    wire.write(get("/plants?limit=1", "Connection: close\r\n"));
    const responses = parseResponses(await wire.closed, ["GET", "GET"]);
    assertEquals(responses.map(({ status }) => status), [200, 200]);
    assertEquals(responses[0]!.body, "[]");
  });
});

/** Asserts that one answer comes, and nothing after it, however the bytes are cut. */
async function assertOneAnswer(bytes: string, status: number): Promise<void> {
  const cuts = [bytes.length, bytes.length - LENGTH, 40];
  await Promise.all(cuts.map(async (cut) => {
    const wire = openWire(victim.port);
    wire.write(bytes.slice(0, cut));
    await exchange(victim.port, OTHER); // the server has read the first part
    wire.write(bytes.slice(cut));
    const received = await wire.closed;
    const responses = parseResponses(received, ["GET", "GET"]);
    assertEquals(responses.map(({ status }) => status), [status], received);
    assertEquals(responses[0]!.headers.get("connection"), "close");
  }));
}
