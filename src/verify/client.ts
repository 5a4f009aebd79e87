import type { CaseRequest, CaseResponse } from "./cases.ts";
import { toCurl } from "./curl.ts";
import { createHandlerSender, type FetchHandler } from "./send_to_handler.ts";
import { createUrlSender } from "./send_to_url.ts";

/** The number of timeouts in a row after which the run stops. */
const MAX_TIMEOUTS = 5;

/** Sends the requests of a run to an implementation. */
export interface Client {
  /** Sends a request. Returns the response, or the reason for a failure. */
  exchange(request: CaseRequest): Promise<CaseResponse | string>;
  /** Returns a curl command that sends requests. */
  show(...requests: readonly CaseRequest[]): string;
  /** Whether the implementation has stopped responding. */
  isSilent(): boolean;
}

/**
 * Creates a client.
 *
 * @param target The URL of a server, with an optional base path, or a handler.
 * @param timeout The time limit for each request, in milliseconds.
 */
export async function createClient(
  target: string | URL | FetchHandler,
  timeout: number,
): Promise<Client> {
  const isHandler = typeof target === "function";
  const url = new URL(isHandler ? "http://localhost" : target);
  const send = isHandler
    ? createHandlerSender(target)
    : await createUrlSender(url);
  const basePath = url.pathname.replace(/\/+$/, "");
  const resolve = ({ target = "/plants", ...rest }: CaseRequest) => ({
    ...rest,
    target: withBasePath(target, basePath),
  });
  let timeouts = 0;
  return {
    async exchange(request) {
      const controller = new AbortController();
      const { signal } = controller;
      const timer = setTimeout(() => controller.abort(), timeout);
      try {
        return await send(resolve(request), signal);
      } catch (error) {
        const reason = signal.aborted
          ? `no complete response within ${timeout / 1_000} s`
          : error instanceof Error
          ? error.message || error.name
          : String(error);
        return `no response: ${reason}`;
      } finally {
        clearTimeout(timer);
        timeouts = signal.aborted ? timeouts + 1 : 0;
      }
    },
    show: (...requests) => toCurl(url.origin, requests.map(resolve)),
    isSilent: () => timeouts >= MAX_TIMEOUTS,
  };
}

/** Puts a target under a base path. */
export function withBasePath(target: string, basePath: string): string {
  if (target === "*") return target;
  // An origin or `/..` precedes the base path.
  const [, start = "", path] = /^(https?:\/\/[^/]*|\/\.\.)?(.*)$/.exec(target)!;
  return `${start}${basePath}${path}`;
}

/** Replaces ETAG in the headers of a request with an ETag, without `W/`. */
export function fillEtag<T extends CaseRequest>(request: T, etag: string): T {
  const opaque = etag.replace(/^W\//, "");
  const headers = request.headers?.map(([name, value]) =>
    [name, value.replace("ETAG", () => opaque)] as const
  );
  return { ...request, headers };
}
