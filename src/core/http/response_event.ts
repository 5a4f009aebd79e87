import { SECRET } from "../domain/token.ts";
import { readBearer } from "./bearer.ts";
import type { ServiceRequest } from "./request.ts";
import type { ServiceResponse } from "./response.ts";
import { parseTarget } from "./target.ts";

/**
 * Describes a response for logs and metrics. Excludes the query and headers of the
 * request, but not a short token in its path.
 */
export interface ResponseEvent {
  /** The request ID that is returned in `X-Request-Id`. */
  readonly requestId: string;
  /** The method of the request. */
  readonly method: string;
  /** The path of the request. Anything as long as a token is replaced by `...`. */
  readonly path: string;
  /** The status code of the response. */
  readonly status: number;
  /** The authenticated user, if any. */
  readonly user?: string;
  /** The size of the body in bytes; absent if it is a long list, which is encoded while the client reads it. */
  readonly bytes?: number;
  /** The time it took to produce the response, in milliseconds. */
  readonly duration: number;
}

export const REQUEST_ID = "X-Request-Id";

/**
 * Describes a response. The event cannot be changed, because the request ID becomes a
 * header.
 *
 * @param start When the request arrived, as returned by `performance.now()`.
 */
export function createEvent(
  request: ServiceRequest,
  { status, body, chunks }: ServiceResponse,
  start: number,
): ResponseEvent {
  const { user, method, target } = request;
  return Object.freeze({
    requestId: readRequestId(request),
    method: hideTokens(method),
    path: hideTokens(parseTarget(target).path),
    status,
    ...user !== undefined && { user },
    ...!chunks && { bytes: body?.length ?? 0 }, // text bodies are ASCII
    duration: performance.now() - start,
  });
}

/** Returns the ID in the request, or a new one if it is missing, invalid, or possibly a token. */
function readRequestId(request: ServiceRequest): string {
  const id = request.header("x-request-id") ?? "";
  return /^[\w.-]{1,64}$/.test(id) && !SECRET.test(id) &&
      id !== readBearer(request.header("authorization"))
    ? id
    : crypto.randomUUID();
}

/** Replaces anything that is as long as a token with `...`. */
function hideTokens(text: string): string {
  return text.replace(/[\w~+=.-]{32,}/g, "...");
}
