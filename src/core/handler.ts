import type { PlantStore } from "./domain/store.ts";
import { readOptions, typeOf } from "./internal/read_options.ts";
import {
  HANDLER_OPTIONS,
  type HandlerOptions,
} from "./http/handler_options.ts";
import { createService } from "./http/service.ts";
import { createFetchAdapter } from "./fetch_adapter.ts";

/** A function that responds to requests. Pass it to a server, or use it in place of `fetch`. */
export interface Handler {
  /**
   * Responds to a request. Other arguments are ignored, even an `init` with
   * headers, because `Deno.serve`, `Bun.serve`, and Cloudflare Workers pass their
   * own. To change a request, pass `new Request(request, init)`.
   */
  (request: Request, ...rest: readonly unknown[]): Promise<Response>;
  /**
   * Takes the same arguments as `fetch`, but ignores `init` if `input` is a
   * `Request`. Relative URLs resolve against `http://localhost`.
   */
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
}

/**
 * Creates a handler that serves the plants in a store.
 *
 * The handler accepts a `Request`, or a URL and options. If anything fails, it returns
 * an error response. It rejects only if the arguments do not form a valid request
 * or the request is aborted. In these cases, `fetch` also rejects. On Deno, the
 * handler ignores the signal of a `Request`, because reading the signal of a
 * server's request prints a warning; pass a URL and options instead. In browsers,
 * it requires a secure context: `https` or `localhost`. The `url` and `statusText`
 * of a response are empty.
 *
 * @param store The source of plants and users.
 * @param options Handler options. They are read once and never modified.
 * @returns A handler that can also be called like `fetch`.
 * @throws {TypeError} If the store has no `authenticate`, or an option is unknown or
 * of the wrong type.
 * @throws {RangeError} If the value of an option is invalid.
 *
 * @example
 * ```ts
 * import { createHandler, createMemoryStore } from "plant-store";
 *
 * const store = createMemoryStore({ plants: [], users: {} });
 * const handler = createHandler(store);
 *
 * const response = await handler("/plants");
 * console.log(response.status); // 401
 * console.log(response.headers.get("www-authenticate"));
 * // 'Bearer realm="plant-store"'
 * ```
 */
export function createHandler(
  store: PlantStore,
  options: HandlerOptions = {},
): Handler {
  const read = readOptions(options, HANDLER_OPTIONS);
  const listener = createFetchAdapter(createService(store, read));
  return async (input, init?: unknown) => {
    const type = typeOf(input);
    if (type !== "string" && type !== "object") {
      throw new TypeError(`expected a Request or a URL, got ${type}`);
    }
    const request = typeof input === "string" || "href" in input
      ? new Request(new URL(input, "http://localhost"), init as RequestInit)
      : input;
    // Deno prints a warning if code reads the signal of a server's request.
    const signal = request === input && "Deno" in globalThis
      ? undefined
      : request.signal;
    return await untilAborted(signal, () => listener(request, signal));
  };
}

/** Calls a function. Rejects with the reason of the signal as soon as it is aborted. */
function untilAborted(
  signal: AbortSignal | undefined,
  listen: () => Promise<Response>,
): Promise<Response> {
  if (!signal) return listen();
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
    listen().then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}
