import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { shorten } from "./shorten.ts";

// Runs in a worker of the frame: imports handler.mjs, and calls its handler. Each
// message is a call, and has one reply, through its port.

/** The maximum length of a value that the console shows on one line. */
const MAX_LINE = 80;

/** A request, as it is sent to the worker. */
interface Sent {
  readonly url: string;
  readonly method: string;
  /** The method and the path, for messages. */
  readonly what: string;
  readonly headers: [string, string][];
}

/** The function of `node:crypto`, with what exercise 3 needs. */
function createHash(algorithm: string) {
  if (algorithm !== "sha256") throw new Error("the lab has only sha256");
  const hash = sha256.create();
  const created = {
    update(data: string | Uint8Array) {
      hash.update(typeof data === "string" ? utf8ToBytes(data) : data);
      return created;
    },
    digest(encoding: string) {
      if (encoding === "hex") return bytesToHex(hash.digest());
      throw new Error('the lab has only digest("hex")');
    },
  };
  return created;
}

/** Creates the URL of a module. */
function toUrl(code: string): string {
  return URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
}

// The module below reads `createHash` from here. With a global of that name, code
// without the import would not fail.
Object.assign(self, { "node:crypto": { createHash } });
// Browsers have `crypto.subtle` only in secure contexts; Node.js always has it.
Object.defineProperty(crypto, "subtle", {
  get() {
    throw new Error("the lab has no crypto.subtle; use node:crypto");
  },
});
const CRYPTO = toUrl(`export default self["node:crypto"];
export const { createHash } = self["node:crypto"];`);

let url = "";
let handler: unknown;
/** A token whose `expires` is the time after the import at first. */
type Timed = { expires: number | string };
/** The plants and users that the handler receives, by the name of the data. */
let data: Record<string, [unknown[], Record<string, { tokens: Timed[] }>]> = {};
/** What the code has printed since the last reply. */
let printed: string[] = [];

for (const name of ["debug", "error", "info", "log", "warn"]) {
  Object.assign(console, {
    [name]: (...values: unknown[]) => printed.push(values.map(show).join(" ")),
  });
}

/** Formats a value for the console: data as JSON, and everything else as text. */
function show(value: unknown): string {
  const data = toData(value);
  const kind = Object.prototype.toString.call(data);
  if (!/Array|Object/.test(kind)) return String(data);
  try {
    const line = JSON.stringify(data);
    return line.length > MAX_LINE ? JSON.stringify(data, null, 2) : line;
  } catch { // a cycle
    return String(data);
  }
}

/** Returns the data in an object whose properties are not its own. */
function toData(value: unknown): unknown {
  if (value instanceof Request) return { method: value.method, url: value.url };
  if (value instanceof Response) return { status: value.status };
  const isList = value instanceof Headers || value instanceof URLSearchParams ||
    value instanceof Map || value instanceof Set;
  return isList ? [...value] : value;
}

async function load(code: string): Promise<void> {
  url = toUrl(code.replace(/(["'])node:crypto\1/g, `"${CRYPTO}"`));
  ({ handler } = await import(url));
  if (typeof handler !== "function") {
    throw new TypeError("handler.mjs must export a function named handler");
  }
}

/** Names a value in a sentence. */
function nameValue(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "function") return "a function";
  if (typeof value === "string") return shorten(JSON.stringify(value), 40);
  return String(value);
}

async function respond({ url, method, what, headers }: Sent, name: string) {
  const request = new Request(url, { method, headers });
  // The constructor drops headers that scripts cannot set, such as Host.
  Object.defineProperty(request, "headers", { value: new Headers(headers) });
  const call = handler as (...args: unknown[]) => unknown;
  const [plants, users] = data[name]!;
  const isReversed = request.headers.has("Test-Plants");
  const given = isReversed ? [...plants].reverse() : plants;
  const response = await call(request, given, users);
  if (response === undefined) {
    const asked = `request.method is "${method}", and request.url is "${url}"`;
    return { error: `${what} reached no return with a value; ${asked}` };
  }
  if (!(response instanceof Response)) {
    const shown = nameValue(response);
    return { error: `${what} returned ${shown} instead of a Response` };
  }
  // Servers send no body in response to HEAD.
  const body = method === "HEAD" ? "" : await response.text();
  return { status: response.status, headers: [...response.headers], body };
}

/** Describes an error, with its first place in handler.mjs. */
function describe(error: unknown) {
  const { stack = "" } = Object(error);
  const place = String(stack).split(`${url}:`)[1] ?? "";
  const [, line, column] = /^(\d+):(\d+)/.exec(place) ?? [];
  const message = String(error).replace(
    /.*(?:dynamically imported module|module specifier|export named).*/,
    "an import is not available; the lab has only createHash from node:crypto",
  );
  return { error: message, line: Number(line), column: Number(column) };
}

addEventListener("message", async ({ data: call, ports: [port] }) => {
  let result: object = {};
  try {
    if (call.request) result = await respond(call.request, call.name);
    else {
      data = call.data;
      await load(call.code);
      for (const entry of data["tests"]![1]["timed"]!.tokens) {
        const time = Date.now() + Number(entry.expires);
        entry.expires = new Date(time).toISOString();
      }
    }
  } catch (error) {
    result = describe(error);
  }
  port!.postMessage({ ...result, printed });
  printed = [];
});
