import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

// Runs in a worker of the frame: imports handler.mjs, and calls its handler. Each
// message is a call, and has one reply, whatever the handler does.

/** A request, as it is sent to the worker. */
interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: [string, string][];
}

const post: (message: unknown) => void = postMessage.bind(self);

/** The function of `node:crypto`, with what exercise 3 needs. */
function createHash(algorithm: string) {
  if (algorithm !== "sha256") throw new Error("the lab has only sha256");
  const hash = sha256.create();
  const created = {
    update(text: string) {
      hash.update(utf8ToBytes(text));
      return created;
    },
    digest: () => bytesToHex(hash.digest()),
  };
  return created;
}

/** Creates the URL of a module. */
function toUrl(code: string): string {
  return URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
}

Object.assign(self, { createHash });
const CRYPTO = toUrl("export const createHash = self.createHash;");

let url = "";
let handler: unknown;
let data: readonly unknown[] = [];

async function load(code: string): Promise<void> {
  url = toUrl(code.replace(/(["'])node:crypto\1/g, `"${CRYPTO}"`));
  ({ handler } = await import(url));
  if (typeof handler !== "function") {
    throw new TypeError("handler.mjs must export a function named handler");
  }
}

async function respond({ url, method, headers }: Sent) {
  const request = new Request(url, { method });
  // The constructor drops headers that scripts cannot set, such as Host.
  Object.defineProperty(request, "headers", { value: new Headers(headers) });
  const call = handler as (...args: unknown[]) => unknown;
  const response = await call(request, ...data);
  if (!(response instanceof Response)) {
    throw new TypeError("the handler did not return a Response");
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
    /.* dynamically imported module.*/,
    "a module cannot be imported; the lab has only node:crypto",
  );
  return { error: message, line: Number(line), column: Number(column) };
}

addEventListener("message", async ({ data: call }) => {
  try {
    if (call.request) return post([call.id, await respond(call.request)]);
    data = call.data;
    await load(call.code);
    post([call.id, {}]);
  } catch (error) {
    post([call.id, describe(error)]);
  }
});
post([0, {}]); // ready
