import { after, describe, it } from "node:test";
import { assertEquals } from "@std/assert";
import { exchange, openWire, parseResponses } from "../../contract/wire.ts";
import { startServer } from "../../../tools/start_cli.ts";

// Requests that two servers could delimit differently. Each one is followed by,
// or contains, a request for /hidden, which must not get a response.

const HIDDEN = "GET /hidden HTTP/1.1\r\nHost: h\r\n\r\n";
const LENGTH = `Content-Length: ${HIDDEN.length}`;
const CHUNKED = "Transfer-Encoding: chunked";
const CHUNK = `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`;

/** Headers of requests with their status, and the bodies of valid ones. */
const REQUESTS: readonly (readonly [number, string, string?])[] = [
  [400, `${LENGTH}\r\n${CHUNKED}`],
  [400, `${CHUNKED}\r\nContent-Length: 4`],
  [400, `Content-Length: 0\r\n${LENGTH}`],
  [400, `Content-Length: 0, ${HIDDEN.length}`],
  [400, "Content-Length: +0"],
  [400, "Content-Length: 0x0"],
  [400, "Content-Length:"],
  [400, "Content-Length : 0"],
  [400, "Content-Length:\r\n 0"],
  [400, "Transfer-Encoding: xchunked"],
  [400, "Transfer-Encoding: chunked, identity"],
  [400, `Transfer-Encoding: identity\r\n${CHUNKED}`],
  [400, "Transfer-Encoding: chunked;a=b"],
  [400, "Transfer-Encoding:\vchunked"],
  [400, "Transfer-Encoding : chunked"],
  [400, `X: y\n${LENGTH}`],
  [400, `X: y\r${LENGTH}`],
  [200, `${LENGTH}\r\nConnection: close`, HIDDEN],
  [200, LENGTH, HIDDEN],
  [200, CHUNKED, CHUNK],
  [200, "Transfer-Encoding: CHUNKED", CHUNK.replace("\r\n", ";a=b\r\n")],
  [200, CHUNKED, CHUNK.replace("\r\n", ';a="\r\n"\r\n')],
  [200, CHUNKED, "+0\r\n\r\n"],
  [200, CHUNKED, "0\n\n"],
  [200, CHUNKED, `0\r\n${LENGTH}\r\n\r\n`],
  [200, "Connection: upgrade, close\r\nUpgrade: h2c", HIDDEN],
  [200, `Expect: 100-continue\r\n${LENGTH}`, HIDDEN],
];

const { port } = await startServer({ after });

describe("smuggling", { concurrency: true }, () => {
  for (const [status, headers, body = ""] of REQUESTS) {
    it(`${status} for ${JSON.stringify([headers, body])}`, async () => {
      const head = `GET /healthz HTTP/1.1\r\nHost: h\r\n${headers}\r\n\r\n`;
      const text = head + body + HIDDEN;
      for (const cut of [text.length, head.length, 40]) {
        const wire = openWire(port);
        wire.write(text.slice(0, cut));
        // After this response, the server has read the first part.
        const last =
          "GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
        await exchange(port, last);
        wire.write(text.slice(cut));
        const responses = parseResponses(await wire.closed, ["GET", "GET"]);
        assertEquals(responses.map(({ status }) => status), [status]);
        assertEquals(responses[0]!.headers.get("connection"), "close");
      }
    });
  }
});
