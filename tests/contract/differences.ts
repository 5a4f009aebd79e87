import { openWire } from "./wire.ts";

/** A request that runtimes respond to differently, usually before it reaches the service. */
export interface Difference {
  /** The name in the documents. */
  readonly name: string;
  /** The bytes of the request, as Latin-1. */
  readonly bytes: string;
  /** The outcomes on Node.js, Deno, Bun, and workerd. */
  readonly outcomes: readonly string[];
}

const END = "Authorization: Bearer all\r\nConnection: close\r\n\r\n";

/** Returns a request with these lines in place of the usual ones. */
function write(
  { line = "GET /plants HTTP/1.1", host = "Host: h\r\n", headers = "" },
): string {
  return `${line}\r\n${host}${headers}${END}`;
}
const line = (line: string) => write({ line: `${line} HTTP/1.1` });
const headers = (...lines: string[]) =>
  write({ headers: lines.map((each) => `${each}\r\n`).join("") });

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

type Row = readonly [name: string, bytes: string, ...outcomes: string[]];

const ROWS: readonly Row[] = [
  [
    "no Host header on HTTP/1.1",
    write({ host: "" }),
    "400",
    "200",
    "400, no body",
    "400",
  ],
  [
    "a repeated Host header",
    headers("Host: b"),
    "400",
    "400, no body",
    "400",
    "400",
  ],
  ["malformed HTTP", "a\r\n\r\n", "400", "400, no body", "400, no body", "400"],
  [
    "conflicting Content-Length headers",
    headers("Content-Length: 1", "Content-Length: 2"),
    "400",
    "400, no body",
    "400, no body",
    "400",
  ],
  [
    "two identical Content-Length headers",
    headers("Content-Length: 0", "Content-Length: 0"),
    "400",
    "200",
    "200",
    "200",
  ],
  [
    "`Transfer-Encoding: gzip, chunked`",
    `${headers("Transfer-Encoding: gzip, chunked")}0\r\n\r\n`,
    "400",
    "200",
    "400, no body",
    "200",
  ],
  [
    "an invalid chunk",
    `${headers("Transfer-Encoding: chunked")}x\r\n\r\n`,
    "200",
    "connection closed",
    "400, no body",
    "200",
  ],
  [
    "an unknown method, such as `FOO`",
    line("FOO /plants"),
    "400",
    "405",
    "connection closed",
    "501",
  ],
  ["`CONNECT h:80`", line("CONNECT h:80"), "405", "405", "405", "500"],
  [
    "headers of 80 kB",
    headers(`X: ${"x".repeat(80_000)}`),
    "431",
    "400, no body",
    "431, no body",
    "200",
  ],
  [
    "150 headers",
    headers(...Array(150).fill("X: x")),
    "200",
    "400, no body",
    "200",
    "200",
  ],
  [
    "250 headers",
    headers(...Array(250).fill("X: x")),
    "200",
    "400, no body",
    "431, no body",
    "200",
  ],
  [
    "an Expect header other than `100-continue`",
    headers("Expect: coffee"),
    "417",
    "200",
    "200",
    "200",
  ],
  ["`OPTIONS *`", line("OPTIONS *"), "204", "204", "400, no body", "204"],
  ["`OPTIONS /*`", line("OPTIONS /*"), "404", "204", "204", "204"],
  ["`GET *`", line("GET *"), "404", "400, no body", "400, no body", "404"],
  [
    "`GET ftp://h/plants`",
    line("GET ftp://h/plants"),
    "404",
    "404",
    "400, no body",
    "200",
  ],
  [
    "a long target that resolves to `/plants`",
    line(`GET /${"a/../".repeat(2_000)}plants`),
    "414",
    "414",
    "200",
    "200",
  ],
  [
    "a tab in the target",
    line("GET /plants?\ta"),
    "400",
    "400, no body",
    "505, no body",
    "400",
  ],
  [
    "a space in the target",
    line("GET /plants? a"),
    "400",
    "400, no body",
    "505, no body",
    "400",
  ],
  [
    "a raw byte above 0x7F in the target",
    line("GET /plants?\xe9"),
    "400",
    "400, no body",
    "200",
    "400",
  ],
  [
    "lines that end with only LF",
    write({}).replaceAll("\r\n", "\n"),
    "400",
    "200",
    "505, no body",
    "200",
  ],
  [
    "`HTTP/1.0` without a Host",
    write({ line: "GET /plants HTTP/1.0", host: "" }),
    "200",
    "200",
    "200",
    "400",
  ],
  [
    "`HTTP/1.2`",
    write({ line: "GET /plants HTTP/1.2" }),
    "400",
    "400, no body",
    "505, no body",
    "400",
  ],
  [
    "`HTTP/3.0`",
    write({ line: "GET /plants HTTP/3.0" }),
    "400",
    "400, no body",
    "505, no body",
    "400",
  ],
  [
    "HTTP/2 without TLS",
    PREFACE,
    "400",
    "accepted",
    "400, no body",
    "connection closed",
  ],
  [
    "an empty line before the request",
    `\r\n${write({})}`,
    "200",
    "200",
    "400, no body",
    "200",
  ],
  [
    "an empty Authorization header before a valid one",
    write({ headers: "Authorization:\r\n" }),
    "401",
    "401",
    "401",
    "200",
  ],
  [
    "an empty Host header",
    write({ host: "Host:\r\n" }),
    "400",
    "400",
    "400",
    "400",
  ],
  [
    "two pipelined requests, the second one delayed",
    `GET /plants HTTP/1.1\r\nHost: h\r\n\r\n${write({})}`,
    "401 and 200",
    "401 and 200",
    "connection closed",
    "401 and 200",
  ],
];

/** The requests and their outcomes. */
export const DIFFERENCES: readonly Difference[] = ROWS.map((
  [name, bytes, ...outcomes],
) => ({ name, bytes, outcomes }));

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
