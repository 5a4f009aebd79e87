import { assertEquals } from "@std/assert";
import { openWire } from "./wire.ts";

/** A request that runtimes respond to differently, usually before it reaches the service. */
export interface Difference {
  readonly name: string;
  /** The bytes of the request, as Latin-1. */
  readonly bytes: string;
  /** The outcomes on Node.js, Deno, Bun, and workerd. */
  readonly outcomes: readonly string[];
}

const END = "Authorization: Bearer test-all\r\nConnection: close\r\n\r\n";

/** Returns a request with these lines instead of the usual ones. */
function write(
  { line = "GET /plants HTTP/1.1", host = "Host: h\r\n", headers = "" },
): string {
  return `${line}\r\n${host}${headers}${END}`;
}
const line = (line: string) => write({ line: `${line} HTTP/1.1` });
const headers = (...lines: string[]) =>
  write({ headers: lines.map((each) => `${each}\r\n`).join("") });

const GET =
  "GET /plants HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer test-all\r\n\r\n";
const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/** The requests, by name. */
const REQUESTS: Readonly<Record<string, string>> = {
  "no Host header on HTTP/1.1": write({ host: "" }),
  "a repeated Host header": headers("Host: b"),
  "malformed HTTP": "a\r\n\r\n",
  "Transfer-Encoding: gzip, chunked": `${
    headers("Transfer-Encoding: gzip, chunked")
  }0\r\n\r\n`,
  "an unknown method, such as FOO": line("FOO /plants"),
  "CONNECT h:80": line("CONNECT h:80"),
  "headers of 80 kB": headers(`X: ${"x".repeat(80_000)}`),
  "250 headers": headers(...Array(250).fill("X: x")),
  "HTTP/1.0 without a Host": write({
    line: "GET /plants HTTP/1.0",
    host: "",
  }),
  "HTTP/2 without TLS": PREFACE,
  "an empty Authorization header before a valid one": write({
    headers: "Authorization:\r\n",
  }),
  "a request right after one that takes time": GET + line("GET /healthz"),
  "a chunked body with a trailer": `${
    write({
      line: "PUT /plants HTTP/1.1",
      headers: "Transfer-Encoding: chunked\r\n",
    })
  }1\r\nx\r\n0\r\nX: y\r\n\r\n`,
};

/** The outcomes on each runtime. */
const OUTCOMES = `
request                                          | Node.js           | Deno         | Bun                  | workerd
no Host header on HTTP/1.1                       | 400               | 200          | 400, no body         | 400
a repeated Host header                           | 400               | 400, no body | 400                  | 400
malformed HTTP                                   | 400               | 400, no body | 400, no body         | 400
Transfer-Encoding: gzip, chunked                 | 400               | 400          | 400, no body         | 400
an unknown method, such as FOO                   | 400               | 405          | connection closed    | 501
CONNECT h:80                                     | connection closed | 405          | 405                  | 500
headers of 80 kB                                 | 431               | 400, no body | 431, no body         | 200
250 headers                                      | 431               | 400, no body | 431, no body         | 200
HTTP/1.0 without a Host                          | 200               | 200          | 200                  | 400
HTTP/2 without TLS                               | 400               | accepted     | 400, no body         | connection closed
an empty Authorization header before a valid one | 401               | 401          | 401                  | 200
a request right after one that takes time        | 200 and 200       | 200 and 200  | connection closed    | 200 and 200
a chunked body with a trailer                    | 405               | 405          | 405 and 400, no body | 405
`;

export const DIFFERENCES: readonly Difference[] = OUTCOMES.trim().split("\n")
  .slice(1)
  .map((row) => {
    const [name = "", ...outcomes] = row.split("|").map((cell) => cell.trim());
    return { name, bytes: REQUESTS[name]!, outcomes };
  });
assertEquals(DIFFERENCES.map(({ name }) => name), Object.keys(REQUESTS));

/** Sends a request to a server that delays lists, and describes the responses, such as `400, no body`. */
export async function describeOutcome(
  port: number,
  bytes: string,
): Promise<string> {
  const wire = openWire(port);
  wire.write(bytes);
  if (bytes === PREFACE) wire.end();
  const received = await wire.closed;
  if (received === "") return "connection closed";
  if (!received.startsWith("HTTP/1.")) return "accepted";
  return received.split(/(?=HTTP\/1\.[01] \d{3} )/).map((response) => {
    const [head, body] = response.split("\r\n\r\n");
    const status = head!.slice(9, 12);
    return body === "" && status !== "204" ? `${status}, no body` : status;
  }).join(" and ");
}
