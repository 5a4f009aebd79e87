import { sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

// Runs in a worker of the frame: imports handler.mjs, and calls its handler. Each
// message is a call, and has one reply, whatever the handler does.

/** What a handler receives after the request, by the name of the data. */
type Data = Readonly<Record<string, readonly unknown[]>>;

/** A request, as it is sent to the worker. */
interface Sent {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: [string, string][];
}

const post: (message: unknown) => void = postMessage.bind(self);
const MAX_LINES = 50, MAX_LINE = 1_000;
const HASHES = new Map([
  ["sha1", sha1],
  ["sha256", sha256],
  ["sha512", sha512],
]);

/** The function of `node:crypto`, with what the exercises need. */
function createHash(algorithm: string) {
  const hash = HASHES.get(algorithm)?.create();
  if (!hash) throw new Error(`Digest method not supported: ${algorithm}`);
  const created = {
    update(data: string | Uint8Array) {
      hash.update(typeof data === "string" ? utf8ToBytes(data) : data);
      return created;
    },
    digest(encoding?: string) {
      const bytes = hash.digest();
      if (encoding === "hex") return bytesToHex(bytes);
      return encoding === "base64"
        ? btoa(String.fromCharCode(...bytes))
        : bytes;
    },
  };
  return created;
}

/** Creates the URL of a module. */
function toUrl(code: string): string {
  return URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
}

Object.assign(self, { nodeCrypto: { createHash } });
const CRYPTO = toUrl(
  "export const { createHash } = nodeCrypto; export default nodeCrypto;",
);

let log: string[] = [];
for (const name of ["debug", "error", "info", "log", "warn"] as const) {
  console[name] = (...values: unknown[]) => {
    const line = values.map(show).join(" ").slice(0, MAX_LINE);
    if (log.length < MAX_LINES) log.push(line);
  };
}

function show(value: unknown): string {
  if (typeof value !== "object" || value instanceof Error) return String(value);
  try {
    return JSON.stringify(value);
  } catch { // it is cyclic
    return String(value);
  }
}

let url = "";
let handler: unknown;
let data: Data = {};

async function load(code: string): Promise<void> {
  url = toUrl(
    code.replace(
      /\b(from|import)(\s*)["'](?:node:)?crypto["']/g,
      `$1$2"${CRYPTO}"`,
    ),
  );
  ({ handler } = await import(url));
  if (typeof handler !== "function") {
    throw new TypeError("handler.mjs must export a function named handler");
  }
}

async function respond({ url, init, headers }: Sent, name: string) {
  const request = new Request(url, init);
  // The constructor drops headers that scripts cannot set, such as Host.
  Object.defineProperty(request, "headers", { value: new Headers(headers) });
  const response: unknown = await (handler as (...args: unknown[]) => unknown)(
    request,
    ...data[name]!,
  );
  if (!(response instanceof Response)) {
    throw new TypeError("the handler did not return a Response");
  }
  // Servers send no body in response to HEAD.
  const body = init.method === "HEAD" ? "" : await response.text();
  return { status: response.status, headers: [...response.headers], body };
}

/** Describes an error, with its first place in handler.mjs. */
function describe(error: unknown) {
  const { stack = "" } = Object(error);
  const place = String(stack).split(`${url}:`)[1] ?? "";
  const [, line, column] = /^(\d+):(\d+)/.exec(place) ?? [];
  const message = String(error).replace(
    /.* dynamically imported module.*/,
    "a module cannot be imported; the lab has only node:crypto",
  );
  return { error: message, line: Number(line), column: Number(column) };
}

addEventListener("message", async ({ data: call }) => {
  try {
    if (call.code !== undefined) {
      data = call.data;
      await load(call.code);
    }
    const response = call.request && await respond(call.request, call.name);
    post([call.id, { ...response, log }]);
  } catch (error) {
    post([call.id, { ...describe(error), log }]);
  }
  log = [];
});
