import type { OptionTypes } from "../internal/read_options.ts";
import type { ResponseEvent } from "./response_event.ts";
import type { Resource } from "./resource.ts";

/** Options for {@linkcode createHandler} and for servers. */
export interface HandlerOptions {
  /**
   * Sets a prefix for all paths, such as `/api`. It must start with a slash and
   * must not end with one. Default: `""`, no prefix.
   */
  readonly basePath?: string | undefined;
  /**
   * Sets the origins that can read responses in a browser: `"*"` for all
   * origins, `"off"` for no CORS headers, or a list of origins, which can also
   * send credentials. Default: `"*"`.
   */
  readonly cors?: string | readonly string[] | undefined;
  /**
   * Sets the public URL of the service, including the base path. Use it if a
   * proxy or a framework changes the scheme, host, or path. Default: the URL of
   * the request.
   */
  readonly publicUrl?: string | undefined;
  /** Serves the API explorer at `/`, and at `basePath` itself. Pass `explorer` from `plant-store/explorer`, which authenticates seven demo tokens for each view. */
  readonly explorer?: Resource | undefined;
  /**
   * Serves the OpenAPI document at `/openapi.json`. Pass `openapi` from
   * `plant-store/openapi`.
   */
  readonly openapi?: Resource | undefined;
  /**
   * Called with each unexpected error, such as one that the store throws. A
   * `StoreUnavailableError` is reported only if it cuts off a long list. Responses
   * never include the error. Default: `console.error`.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /**
   * Called with an event for each response, for logs and metrics. Also enables
   * request IDs in the `X-Request-Id` header.
   */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
}

export const HANDLER_OPTIONS: OptionTypes<HandlerOptions> = {
  basePath: "string?",
  cors: "unknown?",
  publicUrl: "string?",
  explorer: "function?",
  openapi: "function?",
  onError: "function?",
  onResponse: "function?",
};

/** Options for a service, including those that only servers set. */
export interface ServiceOptions extends HandlerOptions {
  /** The maximum length of a request target, in characters. Default: no limit. */
  readonly urlLength?: number;
  /** The state of the server. While it shuts down, `/readyz` returns 503, and responses close their connections. */
  readonly state?: { readonly isShuttingDown: boolean };
}
