import type { Dice } from "./dice.ts";
import { STRANGERS } from "./data.ts";
import type { WireRequest } from "./head.ts";
import type { Service } from "./model.ts";
import type { State } from "./state.ts";

/** What a request is made for. */
export interface World {
  readonly service: Service;
  readonly state: State;
  /** The tokens that are valid, and those that are no more. */
  readonly valid: readonly string[];
  readonly expired: readonly string[];
}

/** A request that is still being made. */
interface Draft {
  method: string;
  /** The target without its query. */
  path: string;
  query: string | undefined;
  version: string;
  lines: string[];
  body: string;
  /** The whole request line, where it is not made of the others. */
  start?: string;
}

type Change = (draft: Draft, dice: Dice, world: World) => void;

/** What a request tries, by its name, with how often it is tried. */
const KINDS:
  readonly (readonly [kind: string, weight: number, change: Change])[] = [
    ["plain", 20, () => {}],
    ["limit", 22, changeLimit],
    ["credentials", 14, changeCredentials],
    ["conditional", 12, addTags],
    ["path", 12, changePath],
    ["document", 5, askForDocument],
    ["method", 6, changeMethod],
    ["host", 5, changeHost],
    ["origin", 6, addOrigin],
    ["absolute", 4, makeAbsolute],
    ["query", 5, addParameters],
    ["fields", 4, addFields],
    ["body", 3, addBody],
    ["framing", 2, breakFraming],
    ["connection", 2, changeConnection],
    ["expect", 1.5, addExpectation],
    ["flood", 1, flood],
    ["malformed", 3, breakHead],
  ];

const TOTAL = KINDS.reduce((sum, [, weight]) => sum + weight, 0);

/** The names of all that requests try. */
export const KIND_NAMES: readonly string[] = KINDS.map(([kind]) => kind);

/** Makes a request: one thing that is tried, and now and then others with it. */
export function makeRequest(dice: Dice, world: World): WireRequest {
  const draft: Draft = {
    method: dice.chance(0.08) ? "HEAD" : "GET",
    path: `${world.service.basePath}/plants`,
    query: undefined,
    version: "HTTP/1.1",
    lines: ["Host: 127.0.0.1:8000"],
    body: "",
  };
  if (dice.chance(0.95)) authorize(draft, dice.pick(world.valid));
  const [kind, change] = pickKind(dice);
  change(draft, dice, world);
  while (dice.chance(0.2)) pickKind(dice)[1](draft, dice, world);
  const { method, path, query, version, lines, body } = draft;
  const target = query === undefined ? path : `${path}?${query}`;
  return {
    kind,
    start: draft.start ?? `${method} ${target} ${version}`,
    lines,
    body,
  };
}

function pickKind(dice: Dice): readonly [string, Change] {
  let at = dice.roll(TOTAL * 100) / 100;
  for (const [kind, weight, change] of KINDS) {
    at -= weight;
    if (at < 0) return [kind, change];
  }
  return ["plain", () => {}];
}

function authorize(draft: Draft, token: string): void {
  replace(draft, "Authorization", [`Authorization: Bearer ${token}`]);
}

/** Puts lines in the place of those of a field. */
function replace(draft: Draft, name: string, lines: readonly string[]): void {
  const start = `${name.toLowerCase()}:`;
  draft.lines = [
    ...draft.lines.filter((line) => !line.toLowerCase().startsWith(start)),
    ...lines,
  ];
}

function insert(draft: Draft, dice: Dice, line: string): void {
  draft.lines.splice(dice.roll(draft.lines.length + 1), 0, line);
}

// limit and the query

const NUMBERS = [
  ...["-1", "-0", "+1", "007", "00", "1e1", "0x10", "1.0", "1.", ".5", " 1"],
  ...["1 ", "", "null", "NaN", "Infinity", "1,2", "1;2", "1_0", "0b1", "1n"],
  ...["2147483646", "2147483648", "4294967296", "9007199254740993"],
  ...["9999999999", "99999999999999999999", "1\0", "1\n", "\uFEFF1", "２"],
  ...["१", "x".repeat(64), "x".repeat(70), '"', "\\", "<b>", "\u{1F33F}"],
];

/** A value as it may stand in a query: as it is, escaped where it must be, or all of it escaped. */
function escapeValue(text: string, dice: Dice): string {
  const way = dice.roll(4);
  if (way === 0) return escapeBytes(text, () => true);
  if (way === 1) return escapeBytes(text, () => dice.chance(0.3));
  return escapeBytes(text, () => false);
}

function escapeBytes(text: string, isChosen: () => boolean): string {
  return Array.from(Buffer.from(text), (byte) => {
    const character = String.fromCharCode(byte);
    if (/[\w\-.~!*'(),;:@/]/.test(character) && !isChosen()) return character;
    const digits = byte.toString(16).padStart(2, "0");
    return `%${byte % 2 === 0 ? digits : digits.toUpperCase()}`;
  }).join("");
}

function limitValue(dice: Dice, { state }: World): string {
  const size = state.plants.length;
  switch (dice.roll(6)) {
    case 0:
      return dice.pick(["0", "1", `${size - 1}`, `${size}`, `${size + 1}`]);
    case 1:
      return "2147483647";
    case 2:
      return dice.pick(NUMBERS);
    default:
      return `${dice.roll(size + 3)}`;
  }
}

function changeLimit(draft: Draft, dice: Dice, world: World): void {
  const name = dice.chance(0.9) ? "limit" : dice.pick([
    "%6cimit",
    "l%69mi%74",
    "LIMIT",
    "limit[]",
    "%20limit",
    "+limit",
  ]);
  const parts = [`${name}=${escapeValue(limitValue(dice, world), dice)}`];
  if (dice.chance(0.06)) {
    parts.push(`limit=${limitValue(dice, world)}`.replace(/\s|\0/g, ""));
  }
  if (dice.chance(0.03)) {
    parts[0] = dice.pick([
      "limit",
      "limit=%ZZ",
      "limit=%FF",
      "limit==1",
      "limit=%",
      "limit=1%",
    ]);
  }
  if (dice.chance(0.1)) {
    parts.unshift(dice.pick(["", "&", "a=1", "x=limit=1", "=limit=1"]));
  }
  if (dice.chance(0.1)) {
    parts.push(dice.pick(["", "&", "b", "limi=9", "limit%00=1"]));
  }
  draft.query = parts.join("&").replace(/[^\x21-\x7e]/g, "%20");
}

function addParameters(draft: Draft, dice: Dice, world: World): void {
  const extra = dice.pick([
    "__proto__=1",
    "access_token=TOKEN",
    "page=2&per_page=1",
    "a?b?c",
    "?limit=1",
    "#limit=x",
    "'\"<>`{}|^\\",
    "%",
    "x=".repeat(500),
    "&".repeat(300),
    "limit%3D1",
    "%26limit=1",
  ]);
  const filled = extra.replace(
    "TOKEN",
    escapeBytes(dice.pick(world.valid), () => false),
  );
  draft.query = draft.query === undefined ? filled : `${draft.query}&${filled}`;
}

// Credentials

function changeCredentials(draft: Draft, dice: Dice, world: World): void {
  const token = dice.pick(world.valid);
  const other = dice.pick([...world.valid, ...STRANGERS]);
  const name = dice.pick(["Authorization", "authorization", "AUTHORIZATION"]);
  const values = dice.pick<() => readonly string[]>([
    () => [],
    () => [""],
    () => [`Bearer ${dice.pick(world.expired)}`],
    () => [`Bearer ${dice.pick(STRANGERS)}`],
    () => [`Bearer ${dice.pick(STRANGERS)}`],
    () => [`bearer ${token}`],
    () => [
      `${dice.pick(["BEARER", "bEaReR", "Bearer"])}${
        " ".repeat(1 + dice.roll(9))
      }${token}`,
    ],
    () => [`Bearer\t${token}`],
    () => [`Bearer ${token}\t`],
    () => [`Bearer \t${token}`],
    () => [`Bearer\xa0${token}`],
    () => [`Bearer ${token} ${other}`],
    () => [`Bearer ${token},${other}`],
    () => [`Bearer "${token}"`],
    () => [`Bearer${token}`],
    () => ["Bearer"],
    () => [`Bearer=${token}`],
    () => [`Bearer: ${token}`],
    () => [`Basic ${token}`],
    () => [`NotBearer ${token}`],
    () => [`Bearer-${token}`],
    () => [token],
    () => [`Bearer ${token}`, `Bearer ${token}`],
    () => [`Bearer ${token}`, `Bearer ${other}`],
    () => [`Bearer ${other}`, `Bearer ${token}`],
    () => [`Basic x`, `Bearer ${token}`],
    () => [`Bearer ${token}`, ""],
    () => ["", `Bearer ${token}`],
    () => [`Bearer ${token}`, `Basic x`],
    () => [`Bearer ${mangle(token, dice)}`],
    () => [`Bearer ${mangle(token, dice)}`],
  ])();
  replace(draft, "Authorization", []);
  for (const value of values) {
    insert(
      draft,
      dice,
      `${name}:${dice.pick(["", " ", "  ", "\t"])}${value}${
        dice.pick(["", "", " ", "\t "])
      }`,
    );
  }
}

/** A token with one character other than it was. */
function mangle(token: string, dice: Dice): string {
  const at = dice.roll(token.length + 1);
  const rest = token.slice(at + dice.roll(2));
  return token.slice(0, at) +
    dice.pick(["", "x", "=", "%41", "\xe9", "-", "A", "\x80"]) + rest;
}

// Conditional requests

function addTags(draft: Draft, dice: Dice, world: World): void {
  const { state } = world;
  const token = dice.pick(world.valid);
  const limit = dice.roll(state.plants.length + 2);
  const isWhole = dice.chance(0.4);
  authorize(draft, token);
  draft.query = isWhole ? undefined : `limit=${limit}`;
  const { user } = state.holders.get(token)!;
  const right = state.list(user, isWhole ? 2n ** 31n : BigInt(limit)).tag ??
    '"unseen"';
  const wrong = dice.pick([
    '"a"',
    'W/"a"',
    '""',
    `"x${right.slice(1)}`,
    right.toUpperCase().replace("W/", ""),
    '"a,b"',
    '"é"',
  ]);
  const tags = dice.pick([
    [right],
    [right],
    [`W/${right}`],
    ["*"],
    [wrong],
    [wrong, right],
    [right, wrong],
    [wrong, `W/${right}`, '"b"'],
    ['"a"', wrong],
    [right.slice(1, -1)],
  ]);
  const value = tags.join(dice.pick([", ", ",", " , ", ",\t"]));
  const lines = dice.chance(0.9)
    ? [`If-None-Match: ${value}`]
    : tags.map((tag) => `if-none-match: ${tag}`);
  for (const line of lines) {
    insert(draft, dice, Buffer.from(line).toString("latin1"));
  }
  if (dice.chance(0.1)) {
    insert(
      draft,
      dice,
      dice.pick([
        "If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT",
        `If-Match: ${wrong}`,
        "Range: bytes=0-1",
        "If-Range: *",
      ]),
    );
  }
}

// Paths, methods and hosts

function changePath(draft: Draft, dice: Dice, { service }: World): void {
  const { basePath } = service;
  const right = `${basePath}/plants`;
  const odd = [
    `${basePath}/`,
    `${right}/`,
    basePath || "/x",
    `/${right}`,
    `${right}//`,
    `${basePath}//plants`,
    `${basePath}/%2Fplants`,
    `${basePath}%2Fplants`,
    `/x%2F..${right}`,
    `${right}%2f`,
    `${right};v=1`,
    `${right}%3Flimit=1`,
    `${right}%00`,
    `${right}%20`,
    `${right}x`,
    `${basePath}/Plants`,
    `${basePath}/plant`,
    `${basePath}/%2570lants`,
    `${basePath}/__proto__`,
    "/constructor",
    "/*",
    "/nope",
    `/x/%2e%2E${right}`,
    `/x/y/../..${right}`,
    `/.${right}`,
    `/..${right}`,
    `/%2e/.${right}`,
    `${right}/.`,
    `${right}/..`,
    `${right}/../plants`,
    `${right}/%2e%2e/healthz`,
    `/x\\..${right}`,
    `${right}#x`,
    `${right}#/../healthz?limit=x`,
    `${basePath}/...`,
    `${basePath}/plants.`,
    `${basePath}/%zz`,
    `${basePath}/%`,
    `${basePath}/pl%61nts%`,
    `/evil.example${right}`,
    `//evil.example${right}`,
    `${basePath}/"<>{}|^\``,
    `/${"x".repeat(dice.roll(6_000))}`,
    `/${"../".repeat(dice.roll(40))}${right.slice(1)}`,
    `/${"x/".repeat(30)}${"../".repeat(29 + dice.roll(3))}${right.slice(1)}`,
    `${right.slice(0, 2)}\xe9lants`,
  ];
  draft.path = dice.chance(0.3)
    ? Array.from(
      right,
      (character) =>
        dice.chance(0.3) && (character !== "/" || dice.chance(0.1))
          ? escapeBytes(character, () => true)
          : character,
    ).join("")
    : dice.pick(odd);
}

function askForDocument(draft: Draft, dice: Dice, { service }: World): void {
  const paths = ["/healthz", "/readyz", ...service.documents.keys()];
  draft.path = service.basePath + dice.pick(paths);
  if (dice.chance(0.5)) replace(draft, "Authorization", []);
  if (dice.chance(0.3)) {
    const [document] = [...service.documents.values()];
    const tag = document?.at(`http://127.0.0.1:8000${service.basePath}`).tag;
    insert(
      draft,
      dice,
      `If-None-Match: ${dice.pick(["*", '"a"', tag ?? '"b"'])}`,
    );
  }
}

function changeMethod(draft: Draft, dice: Dice): void {
  draft.method = dice.pick([
    ...["POST", "PUT", "PATCH", "DELETE", "TRACE", "OPTIONS", "OPTIONS"],
    ...["QUERY", "PROPFIND", "PURGE", "M-SEARCH", "HEAD", "SOURCE"],
    ...["get", "Get", "head", "FOO", "GETT", "GE", "CONNECT", "PRI", "!"],
  ]);
  if (draft.method === "OPTIONS" && dice.chance(0.2)) draft.path = "*";
  if (draft.method === "CONNECT" && dice.chance(0.5)) {
    draft.path = "example.com:443";
  }
}

function changeHost(draft: Draft, dice: Dice): void {
  const good = [
    ...["plants.example", "a", "127.0.0.1:1", "[::1]:80", "[::ffff:1.2.3.4]"],
    ...[
      "plant_store",
      "caf%C3%A9.example",
      "a,b",
      "a:",
      "h:99999",
      "a.",
      "1.2",
    ],
    ...["!$&'()*+,;=", "EXAMPLE.com:80"],
  ];
  const bad = [
    ...["", "evil/x?y=", "h/plants?x=", "h?x=", "h#", "user@h", "a b", "h:x"],
    ...["a, b", "a:1:2", "[::1", "[zz]", "[1]", "[::1]x", "a\\b", "a%2", ":80"],
    ...["\xe9", "a\tb", "[::1%25eth0]", "h:-1", "<x>", "http://h", "/"],
  ];
  const name = dice.pick(["Host", "host", "HOST"]);
  const values = dice.pick([
    [dice.pick(good)],
    [dice.pick(good)],
    [dice.pick(bad)],
    [dice.pick(bad)],
    [],
    [dice.pick(good), dice.pick(good)],
    ["a", "a"],
    ["", dice.pick(good)],
  ]);
  replace(draft, "Host", []);
  for (const value of values) insert(draft, dice, `${name}: ${value}`);
}

function makeAbsolute(draft: Draft, dice: Dice): void {
  const origin = dice.pick([
    ...[
      "http://other.example",
      "http://other.example:81",
      "HTTP://H",
      "http://user@h",
    ],
    ...[
      "https://other.example",
      "http://[::1]:8000",
      "http://h",
      "ftp://h",
      "http:/",
      "x:",
    ],
  ]);
  draft.path = dice.chance(0.1) ? origin : origin + draft.path;
}

function addOrigin(draft: Draft, dice: Dice, { service }: World): void {
  const origins = [
    ...[
      "https://a.example",
      "null",
      "",
      "http://localhost:3000",
      "https://A.example",
    ],
    ...Array.isArray(service.cors) ? service.cors : [],
  ];
  insert(draft, dice, `Origin: ${dice.pick(origins)}`);
  if (dice.chance(0.05)) insert(draft, dice, `Origin: ${dice.pick(origins)}`);
  if (dice.chance(0.6)) {
    draft.method = "OPTIONS";
    if (dice.chance(0.8)) {
      insert(
        draft,
        dice,
        `Access-Control-Request-Method: ${
          dice.pick(["GET", "POST", "", "get"])
        }`,
      );
    }
    if (dice.chance(0.5)) {
      insert(
        draft,
        dice,
        "Access-Control-Request-Headers: authorization, x\r\n".trim(),
      );
    }
  }
}

// What goes with a request

function addFields(draft: Draft, dice: Dice): void {
  for (let count = dice.roll(20); count >= 0; count--) {
    insert(
      draft,
      dice,
      dice.pick([
        "Accept: */*",
        "Accept-Encoding: gzip, br, zstd",
        "X-Forwarded-Host: evil.example",
        "X-Forwarded-Proto: https",
        "X-HTTP-Method-Override: DELETE",
        "X-Original-URL: /healthz",
        "Forwarded: host=evil.example",
        "__proto__: x",
        "constructor: x",
        "X-Request-Id: abc_-.1",
        `X-Request-Id: ${"x".repeat(65)}`,
        "X-Request-Id: a b\xff",
        "Cookie: a=b",
        `X-Blanks:${" ".repeat(300)}x${"\t".repeat(300)}`,
        "X-Odd: \x80\xff",
        "!#$%&'*+-.^_`|~: x",
        "Via: 1.1 a",
        "Sec-Fetch-Mode: cors",
        "Range: bytes=0-0",
        "Prefer: return=minimal",
        "Upgrade-Insecure-Requests: 1",
        "Date: x",
        "A:",
      ]),
    );
  }
}

/** A whole request, which a body must not be taken for. */
const SMUGGLED = "GET /healthz HTTP/1.1\r\nHost: smuggled\r\n\r\n";

function addBody(draft: Draft, dice: Dice): void {
  const text = dice.pick([
    "x",
    "hello",
    SMUGGLED,
    "\0\xff",
    "{}",
    "x".repeat(dice.roll(3_000)),
  ]);
  if (dice.chance(0.4)) {
    insert(
      draft,
      dice,
      dice.pick(["Transfer-Encoding: chunked", "transfer-encoding:CHUNKED"]),
    );
    draft.body = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
    if (text === "") draft.body = "0\r\n\r\n";
  } else {
    const isLong = dice.chance(0.02);
    const body = isLong ? "x".repeat(65_537 + dice.roll(9)) : text;
    insert(draft, dice, `Content-Length: ${body.length}`);
    draft.body = body;
  }
  if (dice.chance(0.5)) {
    draft.method = dice.pick(["POST", "PUT", "GET", "HEAD", "OPTIONS"]);
  }
}

function breakFraming(draft: Draft, dice: Dice): void {
  const lines = dice.pick([
    ["Transfer-Encoding: xchunked"],
    ["Transfer-Encoding: gzip, chunked"],
    ["Transfer-Encoding: chunked, gzip"],
    ["Transfer-Encoding: identity"],
    ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
    ["Transfer-Encoding: chunked", "Transfer-Encoding: x"],
    ["Transfer-Encoding:"],
    ["Transfer-Encoding: chunked", "Content-Length: 5"],
    ["Content-Length: 5", "Transfer-Encoding: chunked"],
    ["Content-Length: 5", "Content-Length: 6"],
    ["Content-Length: 5", "Content-Length: 5"],
    ["Content-Length: 5, 5"],
    ["Content-Length: +5"],
    ["Content-Length: -5"],
    ["Content-Length: 5a"],
    ["Content-Length: 0x5"],
    ["Content-Length: "],
    ["Content-Length: 99999999999999999999999999"],
  ]);
  for (const line of lines) insert(draft, dice, line);
  draft.body = dice.pick(["", "hello", "0\r\n\r\n"]) +
    dice.pick(["", SMUGGLED]);
}

function changeConnection(draft: Draft, dice: Dice): void {
  if (dice.chance(0.4)) {
    draft.version = dice.pick([
      "HTTP/1.0",
      "HTTP/1.0",
      "HTTP/2.0",
      "HTTP/0.9",
      "HTTP/1.2",
      "HTTP/9.9",
    ]);
    if (dice.chance(0.5)) replace(draft, "Host", []);
  }
  if (dice.chance(0.7)) {
    insert(
      draft,
      dice,
      `Connection: ${
        dice.pick([
          ...[
            "close",
            "Close",
            "keep-alive",
            "x",
            "close, x",
            "keep-alive, close",
          ],
          ...["closed", "upgrade", ""],
        ])
      }`,
    );
  }
  if (dice.chance(0.2)) {
    insert(
      draft,
      dice,
      `Upgrade: ${dice.pick(["h2c", "websocket", "TLS/1.0"])}`,
    );
  }
}

function addExpectation(draft: Draft, dice: Dice): void {
  insert(
    draft,
    dice,
    `Expect: ${
      dice.pick([
        ...["coffee", "", "100-continued", "200-ok", "100 continue"],
        ...["100-continue", "100-Continue"],
      ])
    }`,
  );
  if (dice.chance(0.3)) addBody(draft, dice);
}

function flood(draft: Draft, dice: Dice, world: World): void {
  switch (dice.roll(7)) {
    case 0:
      return insert(draft, dice, `X: ${"x".repeat(17_000 + dice.roll(9_000))}`);
    case 1:
      draft.path += "x".repeat(17_000 + dice.roll(3_000));
      return;
    case 2:
      return insert(draft, dice, `X: ${"x".repeat(dice.roll(15_000))}`);
    case 3:
      return insert(draft, dice, `If-None-Match: ${'"a",'.repeat(3_000)}`);
    case 4:
    case 5: {
      // About as long as a target may be.
      const length = draft.path.length + 2 + (draft.query?.length ?? -1);
      const filler = "x".repeat(Math.max(8_180 + dice.roll(25) - length, 0));
      draft.query = draft.query === undefined
        ? filler
        : `${draft.query}&${filler}`;
      return;
    }
    default: {
      // What counts stands before, within or behind a great many others.
      const token = dice.pick([...world.valid, ...STRANGERS.slice(0, 4)]);
      const lines = [
        ...draft.lines,
        ...dice.chance(0.5) ? [`Authorization: Bearer ${token}`] : [],
      ];
      draft.lines = Array.from({ length: 100 + dice.roll(1_400) }, () => "a:");
      for (const line of lines) {
        if (dice.chance(0.5)) draft.lines.push(line);
        else draft.lines.unshift(line);
      }
    }
  }
}

function breakHead(draft: Draft, dice: Dice): void {
  const { method, path, version } = draft;
  const line = `${method} ${path} ${version}`;
  if (dice.chance(0.5)) {
    draft.start = dice.pick([
      "hello",
      "\0\0\0\0",
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
      `${method} ${path}`,
      `${method} ${path} `,
      `${method}  ${path} ${version}`,
      `${method}\t${path}\t${version}`,
      ` ${line}`,
      `${line} `,
      `${line}x`,
      `\r\n${line}`,
      `\r\n\r\n${line}`,
      `${method} ${path} x ${version}`,
      `${method} ${path}\0 ${version}`,
      `${method} ${path}\x7f ${version}`,
      `${method} ${path}\t ${version}`,
      `${method} plants ${version}`,
      `${method} ?limit=1 ${version}`,
      `${method} \\plants ${version}`,
      `${method} ${path} http/1.1`,
      `${method} ${path} HTTP/1`,
      `${method} ${path} HTTP/1.10`,
      `${method} ${path} HTTP/11.1`,
      `${method} ${path} HTTP/-1.1`,
      `${method} ${path} HTTPS/1.1`,
      `${method} ${path} HTTP/1.1\rX: y`,
      `${method} ${path} HTTP/1.1\nX: y`,
      "PRI * HTTP/2.0\r\n\r\nSM",
    ]);
    return;
  }
  insert(
    draft,
    dice,
    dice.pick([
      "no colon",
      ": no name",
      "Space : x",
      "Sp ace: x",
      "Nul: \0",
      "Nul\0: x",
      "Control: \x01",
      "Delete: \x7f",
      "Feed: a\nb: c",
      "Return: a\rb",
      "Fold: a\r\n b",
      "Fold: a\r\n\tb",
      " Authorization: x",
      "\tX: y",
      "N\xe9: x",
      "(x): y",
      "{",
      "\x0b",
      "Content-Length : 5",
      "Transfer-Encoding\0: chunked",
      "\rX: y",
    ]),
  );
}
