import type { MaybePromise } from "../internal/maybe_promise.ts";
import type { ServiceResponse } from "./response.ts";

/** A request from any platform. */
export interface ServiceRequest {
  /** The method, which is case-sensitive. */
  readonly method: string;
  /** The target as it was received, in any form (RFC 9112 section 3.2). */
  readonly target: string;
  /** Returns the scheme and authority that the request was sent to, such as `http://localhost:8000`; `""` if unknown. */
  origin(): string;
  /** The error response, if the server has already rejected the request, such as 431. Only the adapter of `node:http` sets it. */
  readonly rejection?: ServiceResponse | undefined;
  /** Returns a signal that aborts when the client disconnects; absent if the platform cannot detect that. */
  signal?(): AbortSignal | undefined;
  /** The name of the authenticated user. Set by the service. */
  user?: string;
  /**
   * Returns the value of a header by its lowercase name. Repeated headers are
   * joined with a comma and a space, as in the Fetch standard.
   */
  header(name: string): string | undefined;
}

/**
 * Responds to a GET or HEAD request for a path.
 *
 * @param query The query of the target, without its question mark.
 */
export type RouteHandler = (
  request: ServiceRequest,
  query: string,
) => MaybePromise<ServiceResponse>;
