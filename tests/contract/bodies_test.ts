import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { serve } from "../../src/server/serve.ts";
import { portOf } from "../support/server.ts";
import { openMemory } from "./setups.ts";
import { exchange, openWire, parseResponses } from "./wire.ts";

// Requests that two servers could delimit differently: no body is read as the next
// request, and none gets the credentials of another.

const HIDDEN = "GET /hidden HTTP/1.1\r\nHost: h\r\n\r\n";
const LENGTH = `Content-Length: ${HIDDEN.length}`;
const CHUNKED = "Transfer-Encoding: chunked";
const CHUNK = `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`;
const ALL = "Authorization: Bearer test-all";
const PREFLIGHT =
  "Origin: https://a.example\r\nAccess-Control-Request-Method: GET";
const LAST = "GET /plants HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";

/** The headers of requests for the list, their statuses on Node.js, and the bodies. */
const LISTS: readonly (readonly [number, string, string?])[] = [
  [400, `${LENGTH}\r\n${CHUNKED}`],
  [400, `${CHUNKED}\r\nContent-Length: 4`, CHUNK],
  [400, `Content-Length: 0\r\n${LENGTH}`, HIDDEN],
  [400, `Content-Length: 0, ${HIDDEN.length}`],
  [400, `${LENGTH}x`, HIDDEN],
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
  [200, `Content-Length: ${50 * HIDDEN.length}`, HIDDEN.repeat(50)],
  [200, CHUNKED, CHUNK],
  [200, CHUNKED, CHUNK.replace(/\r\n$/, "X: y\r\n\r\n")],
  [200, "Transfer-Encoding: CHUNKED", CHUNK.replace("\r\n", ";a=b\r\n")],
  [200, CHUNKED, CHUNK.replace("\r\n", ';a="\r\n"\r\n')],
  [200, CHUNKED, "+0\r\n\r\n"],
  [200, CHUNKED, "0\n\n"],
  [200, CHUNKED, `0\r\n${LENGTH}\r\n\r\n`],
  [200, "Connection: upgrade, close\r\nUpgrade: h2c", HIDDEN],
  [200, `Expect: 100-continue\r\n${LENGTH}`, HIDDEN],
];

/** The same with other lines. */
const REQUESTS: readonly (readonly [number, string, string, string?])[] = [
  ...LISTS.map(([status, headers, body = ""]) =>
    [status, "GET /plants", headers, body] as const
  ),
  [405, "POST /plants", LENGTH, HIDDEN],
  [200, "HEAD /plants", LENGTH, HIDDEN],
  [404, "DELETE /nope", LENGTH, HIDDEN],
  [204, "OPTIONS /plants", `${PREFLIGHT}\r\n${LENGTH}`, HIDDEN],
  [400, "PATCH /plants", `Host: h/\r\n${LENGTH}`, HIDDEN],
];

const isNode = !("Deno" in globalThis || "Bun" in globalThis);

for (const [status, line, headers, body = ""] of REQUESTS) {
  const name = JSON.stringify([line, headers, body.slice(0, 99)]);
  test(`serve() reads no other request in ${name}`, async () => {
    await using server = await serve(openMemory(), { port: 0 });
    const port = portOf(server);
    const head = `${line} HTTP/1.1\r\nHost: h\r\n${ALL}\r\n${headers}\r\n\r\n`;
    for (const cut of [head.length + body.length, head.length, 40]) {
      const wire = openWire(port);
      const text = head + body + (isNode ? HIDDEN : LAST);
      wire.write(text.slice(0, cut));
      await exchange(port, LAST); // by now, the first part has been read
      wire.write(text.slice(cut));
      const [method = ""] = line.split(" ");
      const [first, ...others] = parseResponses(await wire.closed, [method]);
      const statuses = others.map(({ status }) => status);
      if (isNode) {
        assertEquals([first?.status, ...statuses], [status]);
        assertEquals(first!.headers.get("connection"), "close");
      } // Others can also reject what follows.
      else assertMatch(statuses.join(), /^(?:40[01])?$/);
    }
  });
}
