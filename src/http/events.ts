import { isPromise } from "../domain/maybe_promise.ts";
import { readBearer } from "./bearer.ts";
import type { ServiceRequest } from "./request.ts";
import type { ServiceResponse } from "./response.ts";
import { parseTarget } from "./target.ts";

/**
 * Describes a response for logs and metrics. Excludes the query, headers, and
 * tokens of the request.
 */
export interface ResponseEvent {
  /** The request ID that is returned in `X-Request-Id`. */
  readonly requestId: string;
  /** The method of the request. */
  readonly method: string;
  /** The path of the request, in which `...` replaces whatever can be a token. */
  readonly path: string;
  /** The status code of the response. */
  readonly status: number;
  /** The authenticated user, if any. */
  readonly user?: string;
  /** The size of the body in bytes. */
  readonly bytes: number;
  /** The time it took to produce the response, in milliseconds. */
  readonly duration: number;
}

/** The header with the ID of a request. */
export const REQUEST_ID = "X-Request-Id";

/** Reports a response that took since `start`, as `performance.now()` counts; returns the request ID. */
export type ReportResponse = (
  request: ServiceRequest,
  response: ServiceResponse,
  start: number,
) => string;

/**
 * Creates the function that calls `onResponse`.
 *
 * @param onError Called with each error that `onResponse` throws, or rejects with.
 */
export function createReportResponse(
  onResponse: (event: ResponseEvent) => void,
  onError: (error: unknown) => void,
): ReportResponse {
  return (request, { status, body }, start) => {
    const requestId = readRequestId(request);
    const { user, method, target } = request;
    try {
      const done: unknown = onResponse({
        requestId,
        method: hideTokens(method),
        path: hideTokens(parseTarget(target).path),
        status,
        ...user !== undefined && { user },
        bytes: method === "HEAD" ? 0 : body?.length ?? 0, // text is ASCII
        duration: performance.now() - start,
      });
      if (isPromise(done)) done.then(undefined, onError); // an async function
    } catch (error) {
      onError(error);
    }
    return requestId;
  };
}

/** A token that `plant-store token add` creates, or the digest of a token. */
const SECRET = /ps_[\w-]{43}|^[0-9a-f]{64}$/i;

/** Returns the ID that the request has, unless it can be a token, or a new one. */
function readRequestId(request: ServiceRequest): string {
  const id = request.header("x-request-id") ?? "";
  return /^[\w.-]{1,64}$/.test(id) && !SECRET.test(id) &&
      id !== readBearer(request.header("authorization"))
    ? id
    : crypto.randomUUID();
}

/** Replaces what is as long as a token. */
function hideTokens(text: string): string {
  return text.replace(/[\w~+=.-]{32,}/g, "...");
}
