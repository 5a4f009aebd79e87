import type { Case, CaseRequest, CaseResponse } from "./case.ts";
import { toCurlCommand } from "./curl.ts";
import { TEST_TOKEN, TOKENS } from "./data.ts";
import type { VerifyOptions } from "./options.ts";
import { createHandlerSender, type FetchHandler } from "./send_to_handler.ts";
import { createUrlSender } from "./send_to_url.ts";

/** The number of timeouts after which the run stops, as after a refused connection. */
const MAX_FAILURES = 10;

/** Sends the requests of a run to an implementation. */
export interface Client {
  /** Whether the users of a test case have tokens. */
  canSend(test: Case): boolean;
  /**
   * Sends a request.
   *
   * @throws {Error} If there is no response. The message is the reason.
   */
  send(request: CaseRequest): Promise<CaseResponse>;
  /** Returns a curl command that sends a request, without the caller's tokens and headers. */
  toCurl(request: CaseRequest): string;
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
  { timeout = 5_000, headers: added = {}, tokens }: Pick<
    VerifyOptions,
    "timeout" | "headers" | "tokens"
  >,
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
  /** Adds the base path and headers to a request. */
  const complete = (
    request: CaseRequest,
    more: CaseRequest["headers"],
  ): CaseRequest => ({
    ...request,
    target: basePath + request.target,
    headers: [...request.headers, ...more],
  });
  /** Returns a request with the caller's tokens and headers, as it is sent. */
  function toSent(request: CaseRequest): CaseRequest {
    const replace = (token: string) =>
      JSON.stringify(own.get(token) ?? token).slice(1, -1);
    const text = JSON.stringify(request).replace(TEST_TOKEN, replace);
    return complete(JSON.parse(text), Object.entries(added));
  }
  const hidden = Object.keys(added).map((name) => [name, "..."] as const);
  let failures = 0;
  return {
    canSend: ({ request }) =>
      (JSON.stringify(request).match(TEST_TOKEN) ?? [])
        .every((token) => own.get(token) !== undefined),
    async send(request) {
      const controller = new AbortController();
      const { signal } = controller;
      const timer = setTimeout(() => controller.abort(), timeout);
      try {
        return await send(toSent(request), signal);
      } catch (error) {
        const { code = "", message } = Object(error);
        if (/refused/i.test(code)) failures = MAX_FAILURES;
        if (signal.aborted) {
          failures++;
          throw new Error(`no response within ${timeout / 1_000} s`);
        }
        throw new Error(message || code || String(error), { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
    toCurl: (request) => toCurlCommand(url.origin, complete(request, hidden)),
    isSilent: () => failures >= MAX_FAILURES,
  };
}

/** The words for changed ETags, and what they change between the quotes. */
const CHANGES: Readonly<Record<string, (opaque: string) => string>> = {
  LONGER_ETAG: (opaque) => `x${opaque}`,
  SHORTER_ETAG: (opaque) => opaque.slice(0, -1),
  OTHER_CASE_ETAG(opaque) {
    const upper = opaque.toUpperCase();
    return opaque === upper ? opaque.toLowerCase() : upper;
  },
};

/** Replaces ETAG in the headers of a request with an ETag, and other words with a changed one. */
export function fillEtag<T extends CaseRequest>(request: T, etag: string): T {
  const quoted = etag.replace(/^W\//, "");
  const opaque = quoted.slice(1, -1);
  const fill = (word: string) => {
    if (word === "ETAG") return etag; // as it was received
    if (word === "W/ETAG") return `W/${quoted}`;
    const changed = CHANGES[word]!(opaque);
    // An ETag that the change leaves as it is becomes a longer one.
    return `"${changed === opaque ? `x${opaque}` : changed}"`;
  };
  const headers = request.headers
    .map(([name, value]) =>
      [name, value.replace(/(?:W\/)?\w*ETAG/, fill)] as const
    );
  return { ...request, headers };
}
