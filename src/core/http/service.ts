import type { MaybePromise } from "../internal/maybe_promise.ts";
import { notify } from "../internal/notify.ts";
import {
  checkStore,
  isUnavailable,
  type PlantStore,
  type Readiness,
} from "../domain/store.ts";
import { resolveBasePath } from "./base_path.ts";
import { checkEtag } from "./conditional.ts";
import { resolveCors } from "./cors.ts";
import { createEvent, REQUEST_ID } from "./response_event.ts";
import type { ServiceOptions } from "./handler_options.ts";
import { checkMessage } from "./message.ts";
import { createGetPlants } from "./plants.ts";
import { resolvePublicUrl } from "./public_url.ts";
import type { RouteHandler, ServiceRequest } from "./request.ts";
import { createResourceResponse, type Resource } from "./resource.ts";
import {
  addVary,
  createError,
  createJson,
  type ServiceResponse,
} from "./response.ts";
import * as fixed from "./fixed_responses.ts";
import { ORIGIN, parseTarget } from "./target.ts";

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
 * Creates a service.
 *
 * @throws {TypeError} If the store has no `authenticate`.
 * @throws {RangeError} If an option is invalid.
 */
export function createService(
  store: PlantStore,
  options: ServiceOptions = {},
): Service {
  checkStore(store);
  const { explorer, openapi, onError = console.error, onResponse } = options;
  const { urlLength = Infinity, state = { isShuttingDown: false } } = options;
  const basePath = resolveBasePath(options.basePath);
  const publicUrl = options.publicUrl === undefined
    ? undefined
    : resolvePublicUrl(options.publicUrl);
  const publicPath = publicUrl?.replace(ORIGIN, "");
  const cors = resolveCors(options.cors, onResponse && [REQUEST_ID]);
  const common = [...cors.headersFor(), "X-Content-Type-Options", "nosniff"];
  const clientPath = publicPath ?? basePath; // what clients see
  const notFound = createError(404, `Not found; try ${clientPath}/plants`);

  const routes = new Map<string, RouteHandler>([
    [`${clientPath}/plants`, () => fixed.unchangedPath], // unless it equals the next one
    [`${basePath}/plants`, createGetPlants(store)],
    [`${basePath}/healthz`, () => fixed.ok],
    [`${basePath}/readyz`, getReadiness],
  ]);
  if (explorer) {
    // A redirect would loop in hosts that remove the slash.
    const get = serveResource(explorer);
    routes.set(`${basePath}/`, get).set(basePath || "/", get);
  }
  if (openapi) routes.set(`${basePath}/openapi.json`, serveResource(openapi));

  /** Continues the checks in the order that docs/http-api.md specifies in section 10. */
  function route(request: ServiceRequest): MaybePromise<ServiceResponse> {
    const { method, target } = request;
    if (method === "OPTIONS" && isPreflight(request)) {
      const allowed = cors.headersFor(request.header("origin"));
      return allowed.length > 0 ? fixed.preflightAllowed : fixed.noContent;
    }
    if (method === "CONNECT") return fixed.methodNotAllowed; // its target is a host and a port
    if (target.length > urlLength) return fixed.uriTooLong;

    const { path, query } = parseTarget(target);
    const get = routes.get(path);
    if (method === "OPTIONS" && path === "*") return fixed.allowedMethods;
    if (!get) return notFound;
    if (method === "OPTIONS") return fixed.allowedMethods;
    if (method !== "GET" && method !== "HEAD") {
      return fixed.methodNotAllowed;
    }
    return get(request, query);
  }

  /** Returns a function that responds with the API explorer or the OpenAPI document. */
  function serveResource(resource: Resource): RouteHandler {
    return async (request) => {
      const found = await resource({
        baseUrl: publicUrl?.startsWith("http")
          ? publicUrl
          : request.origin() + clientPath,
        publicPath,
        store,
        hasOpenapi: openapi !== undefined,
      });
      return createResourceResponse(found);
    };
  }

  async function getReadiness(): Promise<ServiceResponse> {
    if (state.isShuttingDown) return fixed.unavailable;
    try {
      const readiness: Readiness = await store.ready?.() ?? {};
      const { loadedAt, rejectedAt } = readiness;
      return createJson(200, { status: "ok", loadedAt, rejectedAt });
    } catch (error) {
      if (!isUnavailable(error)) reportError(error);
      return fixed.unavailable;
    }
  }

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
    const { status, body, chunks } = response;
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
    const isSame = isUniform && !isShuttingDown;
    const prepared = isSame ? response.prepared : undefined;
    return {
      status,
      headers,
      body,
      chunks,
      prepared,
      isLast: isLast || isShuttingDown,
    };
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
      if (etags !== undefined) response = checkEtag(response, etags);
      if (request.method === "HEAD") {
        const { status, headers } = response;
        response = { status, headers };
      }
      return finish(request, response, start, isLast);
    },
  };
}

/** Whether the request is a CORS-preflight request (Fetch standard). */
function isPreflight(request: ServiceRequest): boolean {
  return request.header("origin") !== undefined &&
    request.header("access-control-request-method") !== undefined;
}
