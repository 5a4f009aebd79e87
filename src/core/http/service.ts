import { checkStore, type PlantStore } from "../domain/store.ts";
import type { MaybePromise } from "../internal/maybe_promise.ts";
import { resolveBasePath } from "./base_path.ts";
import { resolveCors } from "./cors.ts";
import * as fixed from "./fixed_responses.ts";
import type { ServiceOptions } from "./handler_options.ts";
import { createGetPlants } from "./plants.ts";
import { resolvePublicUrl } from "./public_url.ts";
import { createGetReadiness } from "./readiness.ts";
import type { RouteHandler, ServiceRequest } from "./request.ts";
import { createGetResource } from "./resource.ts";
import { createResponder, type Service } from "./responder.ts";
import { createError, type ServiceResponse } from "./response.ts";
import { REQUEST_ID } from "./response_event.ts";
import { ORIGIN, parseTarget } from "./target.ts";

/**
 * Creates a service: its routes, and the order of checks.
 *
 * @throws {TypeError} If the store has no `authenticate`.
 * @throws {RangeError} If an option is invalid.
 */
export function createService(
  store: PlantStore,
  options: ServiceOptions = {},
): Service {
  checkStore(store);
  const { explorer, openapi, onResponse, urlLength = Infinity } = options;
  const cors = resolveCors(options.cors, onResponse && [REQUEST_ID]);
  const service = createResponder(route, cors, options);

  const basePath = resolveBasePath(options.basePath);
  const routes = new Map<string, RouteHandler>([
    [`${basePath}/plants`, createGetPlants(store, service)],
    [`${basePath}/healthz`, () => fixed.ok],
    [`${basePath}/readyz`, createGetReadiness(store, service, options)],
  ]);
  const publicUrl = options.publicUrl === undefined
    ? undefined
    : resolvePublicUrl(options.publicUrl);
  const context = { publicUrl, store, hasOpenapi: openapi !== undefined };
  if (explorer) {
    // A redirect would loop in hosts that remove the slash.
    const get = createGetResource(explorer, context, getBaseUrl);
    routes.set(`${basePath}/`, get).set(basePath || "/", get);
  }
  if (openapi) {
    const get = createGetResource(openapi, context, getBaseUrl);
    routes.set(`${basePath}/openapi.json`, get);
  }
  // A proxy can change the path that clients send.
  const clientPath = publicUrl?.replace(ORIGIN, "") ?? basePath;
  const notFound = createError(404, `Not found; try ${clientPath}/plants`);

  /** Checks a request in the order that docs/http-api.md specifies in section 10. */
  function route(request: ServiceRequest): MaybePromise<ServiceResponse> {
    const { method, target } = request;
    if (method === "OPTIONS" && isPreflight(request)) {
      const allowed = cors.headersFor(request.header("origin"));
      if (allowed.length === 0) return fixed.noContent;
      // `*` does not include Authorization, and with credentials, it is a name (Fetch
      // standard, CORS-preflight fetch).
      const requested = request.header("access-control-request-headers") ?? "";
      const isEchoed = cors.varies && HEADER_NAMES.test(requested);
      return fixed.allowPreflight(isEchoed ? requested : "Authorization, *");
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

  function getBaseUrl(request: ServiceRequest): string {
    return publicUrl ?? request.origin() + basePath;
  }

  return service;
}

/** A list of header names, which every platform accepts as a value. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~, -]+$/;

/** Whether the request is a CORS-preflight request (Fetch standard). */
function isPreflight(request: ServiceRequest): boolean {
  return request.header("origin") !== undefined &&
    request.header("access-control-request-method") !== undefined;
}
