import { isUnavailable } from "../domain/store.ts";
import type { MaybePromise } from "../internal/maybe_promise.ts";
import { notify } from "../internal/notify.ts";
import { checkEtag } from "./conditional.ts";
import type { Cors } from "./cors.ts";
import * as fixed from "./fixed_responses.ts";
import type { ServiceOptions } from "./handler_options.ts";
import { checkMessage } from "./message.ts";
import type { ServiceRequest } from "./request.ts";
import { addVary, closeChunks, type ServiceResponse } from "./response.ts";
import { createEvent, REQUEST_ID } from "./response_event.ts";

/** A platform-independent service that responds to requests. */
export interface Service {
  /** Responds to a request. It never throws, and its promise never rejects. */
  respond(request: ServiceRequest): Promise<ServiceResponse>;
  /** The headers that all responses share, as alternating names and values. */
  readonly common: readonly string[];
  /** Calls `onError`. It never throws. */
  reportError(error: unknown): void;
}

/**
 * Creates what all responses share: errors, conditional requests, HEAD, common headers,
 * and events.
 *
 * @param route Responds to a request that is not rejected because of its Host, transfer
 * coding, or Expect header.
 */
export function createResponder(
  route: (request: ServiceRequest) => MaybePromise<ServiceResponse>,
  cors: Cors,
  options: ServiceOptions,
): Service {
  const { onError = console.error, onResponse } = options;
  const { state = { isShuttingDown: false } } = options;
  const common = [...cors.headersFor(), "X-Content-Type-Options", "nosniff"];

  function fail(error: unknown): ServiceResponse {
    if (isUnavailable(error)) return fixed.unavailable;
    reportError(error);
    return fixed.unexpected;
  }

  function reportError(error: unknown): void {
    notify(onError, error, () => {}); // the client still gets a response
  }

  /** Whether responses depend only on what `route` returns. */
  const isUniform = !cors.varies && !onResponse;

  /** Adds headers, and calls `onResponse`. */
  function finish(
    request: ServiceRequest,
    response: ServiceResponse,
    start: number,
    isLast: boolean,
  ): ServiceResponse {
    let headers = [...response.headers, ...common];
    if (cors.varies) {
      const allowed = cors.headersFor(request.header("origin"));
      headers = [...addVary(headers, "Origin"), ...allowed];
    }
    if (onResponse) {
      const event = createEvent(request, response, start);
      notify(onResponse, event, reportError);
      headers.push(REQUEST_ID, event.requestId);
    }
    const { isShuttingDown } = state;
    if (isShuttingDown) headers.push("Connection", "close");
    const { status, body, chunks } = response;
    const prepared = isUniform && !isShuttingDown
      ? response.prepared
      : undefined;
    isLast ||= isShuttingDown;
    return { status, headers, body, chunks, prepared, isLast };
  }

  return {
    common,
    reportError,
    async respond(request) {
      const start = onResponse ? performance.now() : 0;
      const { rejection, isLast } = checkMessage(request);
      let response: ServiceResponse;
      try {
        response = rejection ?? await route(request);
      } catch (error) {
        response = fail(error);
      }
      const etags = request.header("if-none-match");
      const { chunks } = response;
      if (etags !== undefined) response = checkEtag(response, etags);
      if (request.method === "HEAD") {
        // Without chunks, Deno and Bun would add `Content-Length: 0`.
        response = { ...response, body: undefined, prepared: undefined };
      }
      if (chunks && !(response.chunks && request.method === "GET")) {
        await closeChunks(chunks); // they are not sent
      }
      return finish(request, response, start, isLast);
    },
  };
}
