import { test } from "node:test";
import { assertMatch } from "@std/assert";
import { serve } from "../../src/server/serve.ts";
import { portOf } from "../support/server.ts";
import { openMemory } from "./setups.ts";
import { openWire, parseResponses } from "./wire.ts";

// Requests on one connection: no body is read as the next request, and none gets the
// credentials of another. tests/integration/attacks has more of them for Node.js.

const HIDDEN = "GET /hidden HTTP/1.1\r\nHost: h\r\n\r\n";
const LENGTH = `Content-Length: ${HIDDEN.length}`;
const CHUNKED = "Transfer-Encoding: Chunked";
const CHUNK = `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n`;
const ALL = "Authorization: Bearer test-all";
const PREFLIGHT =
  "Origin: https://a.example\r\nAccess-Control-Request-Method: GET";

/** The first lines of requests, other headers, and the bodies. */
const REQUESTS:
  readonly (readonly [line: string, headers: string, body: string])[] = [
    ["GET /plants", "X: y", ""],
    ["GET /plants", LENGTH, HIDDEN],
    ["POST /plants", LENGTH, HIDDEN],
    ["HEAD /plants", LENGTH, HIDDEN],
    ["DELETE /nope", LENGTH, HIDDEN],
    ["OPTIONS /plants", `${PREFLIGHT}\r\n${LENGTH}`, HIDDEN],
    ["PATCH /plants", `Host: h/\r\n${LENGTH}`, HIDDEN],
    ["GET /plants", `Content-Length: ${50 * HIDDEN.length}`, HIDDEN.repeat(50)],
    ["GET /plants", CHUNKED, `${CHUNK}\r\n`],
    ["GET /plants", CHUNKED, `${CHUNK}X: y\r\n\r\n`],
    ["GET /plants", `${CHUNKED}\r\nContent-Length: 4`, `${CHUNK}\r\n`],
    ["GET /plants", `Content-Length: 0\r\n${LENGTH}`, HIDDEN],
    ["GET /plants", `${LENGTH}x`, HIDDEN],
  ];

for (const [line, headers, body] of REQUESTS) {
  const name = JSON.stringify([line, headers, body.slice(0, 99)]);
  test(`serve() reads no other request in ${name}`, async () => {
    await using server = await serve(openMemory(), { port: 0 });
    const head = `${line} HTTP/1.1\r\nHost: h\r\n${ALL}\r\n${headers}\r\n\r\n`;
    const next = "GET /plants HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
    for (const cut of [head.length + body.length, head.length, 40]) {
      const wire = openWire(portOf(server));
      const text = head + body + next;
      wire.write(text.slice(0, cut));
      await new Promise((resolve) => setTimeout(resolve, 20));
      wire.write(text.slice(cut));
      const [method = ""] = line.split(" ");
      const [, ...others] = parseResponses(await wire.closed, [method]);
      // The server can close the connection, or reject what follows.
      const statuses = others.map(({ status }) => status);
      assertMatch(statuses.join(), /^(?:40[01])?$/);
    }
  });
}
