import type { Case, CaseRequest, CaseResponse } from "./cases.ts";
import { toCurlCommand } from "./curl.ts";
import { createHandlerSender, type FetchHandler } from "./send_to_handler.ts";
import { createUrlSender } from "./send_to_url.ts";
import { TEST_TOKEN, TOKENS } from "./data.ts";

/** The number of timeouts after which the run stops, as after a refused connection. */
const MAX_FAILURES = 10;

/** Options for {@linkcode createClient}. */
export interface ClientOptions {
  /** The time limit for each request, in milliseconds. */
  readonly timeout: number;
  /** Headers to add to each request. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The token of each user. Default: those of the test data. */
  readonly tokens?: Readonly<Record<string, string>>;
}

/** Sends the requests of a run to an implementation. */
export interface Client {
  /** Whether the target can receive a test case, and its users have tokens. */
  canSend(test: Case): boolean;
  /**
   * Sends a request.
   *
   * @throws {Error} If there is no response. The message is the reason.
   */
  send(request: CaseRequest): Promise<CaseResponse>;
  /** Returns a curl command that sends requests, without the caller's tokens and headers. */
  toCurl(requests: readonly CaseRequest[]): string;
  /** Whether the implementation has stopped responding. */
  isSilent(): boolean;
}

/**
 * Creates a client.
 *
 * @param target The URL of a server, with an optional base path, or a handler.
 */
export async function createClient(
  target: string | URL | FetchHandler,
  { timeout, headers: added = {}, tokens }: ClientOptions,
): Promise<Client> {
  const isHandler = typeof target === "function";
  const url = new URL(isHandler ? "http://localhost" : target);
  const send = isHandler
    ? createHandlerSender(target)
    : await createUrlSender(url);
  const basePath = url.pathname.replace(/\/+$/, "");
  const users = tokens ? new Map(Object.entries(tokens)) : TOKENS;
  const own = new Map(
    Array.from(TOKENS, ([user, token]) => [token, users.get(user)]),
  );
  /** Adds what a request needs; without secrets if it is shown. */
  function complete(request: CaseRequest, isShown: boolean): CaseRequest {
    const { target = "/plants", headers = [] } = request;
    const replace = (text: string) =>
      isShown
        ? text
        : text.replace(TEST_TOKEN, (token) => own.get(token) ?? token);
    const all = [
      ...headers.map(([name, value]) => [name, replace(value)] as const),
      ...Object.entries(added)
        .map(([name, value]) => [name, isShown ? "..." : value] as const),
    ];
    const path = withBasePath(replace(target), basePath);
    return padRequest({ ...request, target: path, headers: all }, url.host);
  }
  let failures = 0;
  return {
    canSend: ({ request, needsServer }) =>
      !(isHandler && needsServer) &&
      (JSON.stringify(request).match(TEST_TOKEN) ?? [])
        .every((token) => own.get(token) !== undefined),
    async send(request) {
      const controller = new AbortController();
      const { signal } = controller;
      const timer = setTimeout(() => controller.abort(), timeout);
      try {
        return await send(complete(request, false), signal);
      } catch (error) {
        const { code = "", message } = Object(error);
        if (/refused/i.test(code)) failures = MAX_FAILURES;
        if (signal.aborted) {
          failures++;
          throw new Error(`no response within ${timeout / 1_000} s`);
        }
        throw new Error(message || code || String(error));
      } finally {
        clearTimeout(timer);
      }
    },
    toCurl: (requests) =>
      toCurlCommand(url.origin, requests.map((each) => complete(each, true))),
    isSilent: () => failures >= MAX_FAILURES,
  };
}

/** Puts a target under a base path. */
export function withBasePath(target: string, basePath: string): string {
  if (target === "*") return target;
  // An origin or `/..` precedes the base path.
  const [, start = "", path] = /^(https?:\/\/[^/]*|\/\.\.)?(.*)$/.exec(target)!;
  return `${start}${basePath}${path}`;
}

/** Extends the target and the headers of a request to the sizes that it requires. */
export function padRequest(request: CaseRequest, host: string): CaseRequest {
  const { method = "GET", headers = [], targetLength = 0, headSize = 0 } =
    request;
  const target = (request.target ?? "/plants").padEnd(targetLength, "x");
  if (headSize === 0) return { ...request, target };
  const filler = (text: string) => ["X-Filler", text] as const;
  const all = [["Host", host], ["Connection", "close"], ...headers, filler("")];
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const size = `${method} ${target} HTTP/1.1\r\n${lines}\r\n`.length;
  const padded = [...headers, filler("x".repeat(headSize - size))];
  return { ...request, target, headers: padded };
}

/** Replaces ETAG in the headers of a request with an ETag, without `W/`. */
export function fillEtag<T extends CaseRequest>(request: T, etag: string): T {
  const opaque = etag.replace(/^W\//, "");
  const headers = request.headers?.map(([name, value]) =>
    [name, value.replace("ETAG", () => opaque)] as const
  );
  return { ...request, headers };
}
