import fc from "fast-check";
import { ACCESS } from "../contract/cases.ts";
import { unicodeText } from "../support/text.ts";
import type { Exchange } from "./exchange.ts";
import type { WireRequest } from "../contract/wire.ts";
import { expect, type Service } from "./model.ts";

// Generates requests. Each part is usually valid, so that the server gets as far
// as the part that is not. The first choice of each part is the simplest one.

/** Text whose parts are arbitrary or one of several choices, which are separated by bars. */
function join(
  ...parts: readonly (string | fc.Arbitrary<string>)[]
): fc.Arbitrary<string> {
  const arbitraries = parts.map((part) =>
    typeof part === "string" ? fc.constantFrom(...part.split("|")) : part
  );
  return fc.tuple(...arbitraries).map((texts) => texts.join(""));
}

/** A usual value, and in one of `interval` requests an unusual one. */
function mostly<T>(
  usual: T | fc.Arbitrary<T>,
  unusual: fc.Arbitrary<T>,
  interval = 10,
): fc.Arbitrary<T> {
  const arbitrary = usual instanceof fc.Arbitrary ? usual : fc.constant(usual);
  const weighted = { weight: interval - 1, arbitrary };
  return fc.oneof({ withCrossShrink: true }, weighted, unusual);
}

/** Text in percent-encoding: where necessary, everywhere, or here and there. */
function encoded(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(text, fc.nat(7)).map(([text, mask]) =>
    Array.from(Buffer.from(text), (byte, index) => {
      const character = String.fromCharCode(byte);
      const isEncoded = (mask >> index % 3 & 1) === 1;
      if (/[\w\-.~!*'(),;:@/]/.test(character) && !isEncoded) return character;
      const digits = byte.toString(16).padStart(2, "0");
      return `%${index % 2 === 0 ? digits : digits.toUpperCase()}`;
    }).join("")
  );
}

const shortText = unicodeText.filter((text) => text.length < 100);
const anyBytes = shortText.map((text) =>
  Buffer.from(text.replaceAll("\n", "")).toString("latin1")
);

/** Text whose length is close to a limit of the server. */
const filler = (...limits: readonly number[]) =>
  fc.tuple(fc.constantFrom(...limits), fc.integer({ min: -300, max: 300 }))
    .map(([limit, more]) => "x".repeat(Math.max(limit + more, 0)));

const method = mostly(
  mostly("GET", join("HEAD|OPTIONS"), 5),
  join(
    "POST|PUT|PATCH|DELETE|TRACE|QUERY|M-SEARCH|get|Get|FOO|GETT|GE|!",
  ),
  20,
);
const prefix = mostly(
  "",
  join(
    "/x/..|/.|/..|//evil.example|/\\..|http://other.example|http://[::1]:80" +
      "|HTTPS://user@h|ftp://h|http:/|x:|*",
  ),
);
const segment = fc.oneof(
  join("plants|..|.|%2e%2E|x|healthz|plants;v=1||%2F|Plants|__proto__|%zz|#a"),
  encoded(join("plants|healthz|readyz|openapi.json")),
  encoded(shortText),
);
const path = fc.oneof(
  { weight: 12, arbitrary: fc.constant("/plants") },
  join("/healthz|/readyz|/|/openapi.json|*"),
  fc.array(segment, { maxLength: 4 }).map((each) => `/${each.join("/")}`),
  join("/", filler(100, 100, 8_190, 17_000)),
);

const limit = fc.oneof(
  { weight: 4, arbitrary: fc.nat(60).map(String) },
  join(
    "|-|+|0| |0x|\uFEFF",
    "0|1|2147483647|2147483648|99999999999999999999|1.5|1e1|२|null|",
    "|.0|,2|n|\0|\n|\x85|\u2028| ",
  ),
  fc.constantFrom("x".repeat(64), "\u{1F33F}".repeat(65)),
  shortText,
);
const parameter = join(
  mostly("limit", join("%6cimit|l%69mi%74|LIMIT|limit[]|+limit|x|?limit|")),
  mostly("=", join("==|&|=%ZZ|=%FF|=%|&&limit=|#")),
  mostly(encoded(limit), join("x=", filler(100, 8_150))),
);

const hostLine = join(
  "Host: |host:|HOST: \t",
  "|user@|http://|[",
  mostly(
    join(
      "a|127.0.0.1|[::1]|caf%C3%A9|a,b|plant_store||zz|[::1%25eth0]|\xe9|!$&'",
    ),
    filler(254, 257),
  ),
  "|:80|:|:x|/plants?x=|?|#|, b|%2|]|\\",
);
const host = mostly(
  ["Host: a"],
  fc.array(mostly("Host:", hostLine, 2), { maxLength: 2 }),
);

const token = fc.constantFrom(...Object.keys(ACCESS));
const id = fc.nat(9_999).map((id) => `X-Request-Id: ${id}`);
const credentialsLine = join(
  "Authorization: |authorization:|AUTHORIZATION: \t",
  "Bearer |bearer |BEARER   |Bearer\t|Bearer|Basic |NotBearer |Bearer=|\xa0|",
  mostly(token, join("expired|nobody|__proto__|=all", mostly("", anyBytes)), 2),
  "| |x|=|%41|,all| all|\xe9",
);
const authorization = mostly(
  token.map((token) => [`Authorization: Bearer ${token}`]),
  fc.array(credentialsLine, { maxLength: 2 }),
  4,
);

const ifNoneMatch = fc.tuple(
  fc.array(join('"a"|ETAG|W/ETAG|W/"a"|""|"a,b"|"xETAG"|\xe9|x'), {
    minLength: 1,
    maxLength: 3,
  }),
  join(", |,|\t, |\r\nIf-None-Match: "),
).map(([etags, separator]) => `If-None-Match: ${etags.join(separator)}`);

const cors = join(
  "Origin: https://a.example|Origin: http://b|Origin: null|Origin:|X: y",
  "|\r\nOrigin: http://b|\r\nAccess-Control-Request-Method: GET" +
    "|\r\nAccess-Control-Request-Method:",
);
const others = join(
  "Connection: close|Connection: Close|Connection: keep-alive|Connection: x, close" +
    "|Connection: keep-alive, close|Connection: upgrade\r\nUpgrade: h2c|Upgrade: x" +
    "|Expect: 100-continue|Expect: 100-Continue|Expect: coffee|Expect:" +
    "|Expect: 100-continued|Accept: */*|X-Forwarded-Host: h|Range: bytes=0-1" +
    '|X-HTTP-Method-Override: DELETE|If-Match: "a"|__proto__: x|Connection:' +
    "|If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT",
);
const manyLines = fc.integer({ min: 50, max: 1_500 })
  .map((count) => Array(count).fill("a:").join("\r\n"));
const otherLine = fc.oneof(
  { weight: 5, arbitrary: ifNoneMatch },
  { weight: 4, arbitrary: cors },
  { weight: 4, arbitrary: others },
  { weight: 2, arbitrary: join("X-Any: ", anyBytes) },
  join("X-Long: ", filler(100, 8_000, 16_300, 25_000)),
  manyLines,
);

/** A complete request, which must not be taken from a body. */
const SMUGGLED = "GET /healthz HTTP/1.1\r\nHost: smuggled\r\n\r\n";

/** The header lines for a body, and the body. */
type Body = readonly [lines: string[], body: string];
const text = fc.oneof(
  fc.constantFrom("x", "", SMUGGLED),
  anyBytes,
  filler(100, 100, 65_536),
);
const body: fc.Arbitrary<Body> = fc.oneof(
  text.map((text): Body => [[`Content-Length: ${text.length}`], text]),
  text.map((text): Body => {
    const chunk = text && `${text.length.toString(16)}\r\n${text}\r\n`;
    return [["transfer-encoding:Chunked"], `${chunk}0\r\n\r\n`];
  }),
  fc.array(
    join(
      "Transfer-Encoding: |Content-Length: ",
      "chunked|5|gzip|identity|chunked, gzip|+5|-5|5a|0x5||5, 5|99999999999999999999999",
    ),
    { minLength: 1, maxLength: 2 },
  ).map((lines): Body => [lines, "hello"]),
);

/** A few characters that are inserted into a line. */
const insertion = fc.record({
  line: fc.nat(4),
  at: fc.integer({ min: 1, max: 50 }),
  text: join("\0|\t| |\r|\x7f|\x80|:|x|\r\n |\nX: |\r\nX: "),
});

/** Requests to a service. */
function requestsTo(service: Service): fc.Arbitrary<WireRequest> {
  return fc.record({
    method: join(mostly("", join("\r\n|\n| "), 60), method),
    space: mostly(" ", join("  |\t||\0 | x "), 60),
    target: join(prefix, mostly(service.basePath, join("|/API/v1")), path),
    query: fc.array(parameter, { maxLength: 2 }),
    version: mostly(
      " HTTP/1.1",
      join(" HTTP/1.0| HTTP/2.0| HTTP/0.9| HTTP/1.10| http/1.1||  HTTP/1.1| "),
      40,
    ),
    headers: service.host
      ? fc.tuple(host, authorization, id)
      : fc.tuple(host, authorization),
    others: mostly([], fc.array(otherLine, { minLength: 1, maxLength: 3 }), 2),
    body: mostly<Body>([[], ""], body, service.host ? 4 : 20),
    rotation: fc.nat(3),
    insertion: mostly({ line: 0, at: 0, text: "" }, insertion, 30),
  }).map(({ method, space, target, version, rotation, ...parts }) => {
    const [framing, body] = parts.body;
    const query = parts.query.length > 0 ? `?${parts.query.join("&")}` : "";
    const start = `${method}${space}${target}${query}${version}`;
    const headers = [...parts.headers.flat(), ...parts.others, ...framing]
      .flatMap((line) => line.split("\r\n"));
    headers.unshift(...headers.splice(rotation));
    const request = fillEtags({ lines: [start, ...headers], body }, service);
    const { line, at, text } = parts.insertion;
    // The length of a body has to stay clear.
    if (framing.length > 0) return request;
    const lines = request.lines.map((each, index) =>
      index === line ? each.slice(0, at) + text + each.slice(at) : each
    );
    return { lines, body };
  });
}

/** Replaces `ETAG` with the ETag of the response. */
function fillEtags(request: WireRequest, service: Service): WireRequest {
  if (!request.lines.some((line) => line.includes("ETAG"))) return request;
  const etag = expect(request, service)[0]?.headers["etag"] ?? '"none"';
  const lines = request.lines.map((line) => line.replaceAll("ETAG", etag));
  return { ...request, lines };
}

/** Connections that are open at the same time. */
export interface Case {
  readonly service: Service;
  readonly exchanges: readonly Exchange[];
}

/** The last request of a connection. */
export const LAST: WireRequest = {
  lines: ["GET /last HTTP/1.1", "Host: a", "Connection: close"],
  body: "",
};

/** Connections to one of these services. */
export function casesFor(services: readonly Service[]): fc.Arbitrary<Case> {
  return fc.oneof(...services.map((service) => {
    const requests = fc.array(requestsTo(service), {
      maxLength: service.host ? 7 : 24,
      size: "max",
    });
    const leaves = fc.constantFrom<Exchange["leaves"]>("half-close", "reset");
    const exchange: fc.Arbitrary<Exchange> = fc.record({
      requests: requests.map((requests) => [...requests, LAST]),
      inTurn: mostly(false, fc.boolean()),
      writeSize: mostly(Infinity, fc.constantFrom(1, 7, 100, 1_000)),
      leaves: mostly(undefined, leaves, service.host ? 2 : 10),
      share: fc.constantFrom(1, 0.1, 0.5, 0.9),
      delay: service.host ? fc.nat(10) : fc.constant(0),
    });
    return fc.array(exchange, { minLength: 1, maxLength: 16, size: "max" })
      .map((exchanges): Case => ({ service, exchanges }));
  }));
}
