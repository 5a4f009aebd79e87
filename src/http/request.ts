import type { MaybePromise } from "../domain/maybe_promise.ts";
import type { ServiceResponse } from "./response.ts";

/** A request from any platform. */
export interface ServiceRequest {
  /** The method, which is case-sensitive. */
  readonly method: string;
  /** The target in origin-form or asterisk-form, without a scheme and authority (RFC 9112 section 3.2). */
  readonly target: string;
  /** The length of the target including a scheme and authority. Default: the length of `target`. */
  readonly targetLength?: number;
  /** The scheme and authority that the request was sent to, such as `http://localhost:8000`; `""` if unknown. */
  readonly origin: string;
  /** The reason to reject the request, if there is one. */
  readonly rejection?: Rejection | undefined;
  /** Aborted when the client disconnects; absent if the platform cannot detect that. */
  readonly signal?: AbortSignal | undefined;
  /** The name of the authenticated user. Set by the service. */
  user?: string;
  /**
   * Returns the value of a header by its lowercase name. Repeated headers are
   * joined with a comma and a space, as in the Fetch standard.
   */
  header(name: string): string | undefined;
}

/** A reason to reject a request that only a server can detect. */
export type Rejection =
  | "invalidHost"
  | "invalidFraming"
  | "malformed"
  | "expectationFailed";

/**
 * Responds to a GET or HEAD request for a path.
 *
 * @param query The query of the target, without its question mark.
 */
export type Get = (
  request: ServiceRequest,
  query: string,
) => MaybePromise<ServiceResponse>;
