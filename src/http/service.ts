import { STATUS_CODE } from "@std/http/status";
import {
  andThen,
  isPromise,
  type MaybePromise,
} from "../domain/maybe_promise.ts";
import {
  checkStore,
  type PlantStore,
  StoreUnavailableError,
} from "../domain/store.ts";
import { resolveBasePath } from "./base_path.ts";
import { checkEtag } from "./conditional.ts";
import { resolveCors } from "./cors.ts";
import { withDelay } from "./delay.ts";
import { createReportResponse, REQUEST_ID } from "./events.ts";
import { isValidHost } from "./host.ts";
import type { ServiceOptions } from "./options.ts";
import { createGetPlants } from "./plants.ts";
import { resolvePublicUrl } from "./public_url.ts";
import type { Get, ServiceRequest } from "./request.ts";
import {
  createResourceResponse,
  type Resource,
  type ResourceContext,
} from "./resource.ts";
import {
  addVary,
  createJson,
  type CreateResponse,
  type ServiceResponse,
} from "./response.ts";
import { createResponses, type Responses } from "./responses.ts";
import { parseTarget, splitTarget } from "./target.ts";

/** A platform-independent service that responds to requests. */
export interface Service {
  /** Responds to a request. It never throws, and its promise never rejects. */
  respond(request: ServiceRequest): MaybePromise<ServiceResponse>;
  /** The constant responses, which a server also sends for invalid input. */
  readonly responses: Responses;
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
  const { delay, page, openapi, onError = console.error, onResponse } = options;
  const { urlLength = Infinity, isDraining = () => false } = options;
  const basePath = resolveBasePath(options.basePath);
  const { publicUrl: url } = options;
  const publicUrl = url === undefined ? undefined : resolvePublicUrl(url);
  const reportResponse = onResponse &&
    createReportResponse(onResponse, reportError);
  const cors = resolveCors(options.cors, reportResponse ? [REQUEST_ID] : []);
  const common = [...cors.common, "X-Content-Type-Options", "nosniff"];
  const create: CreateResponse = (status, headers = [], body) => (
    { status, headers: [...headers, ...common], body }
  );
  const responses = createResponses(create, basePath);

  const getPlants = createGetPlants(store, create, responses);
  const routes = new Map<string, Get>([
    [
      `${basePath}/plants`,
      delay === undefined ? getPlants : withDelay(getPlants, delay),
    ],
    [`${basePath}/healthz`, () => responses.ok],
    [`${basePath}/readyz`, getReadiness],
  ]);
  if (page) routes.set(`${basePath}/`, serveResource(page));
  if (openapi) routes.set(`${basePath}/openapi.json`, serveResource(openapi));

  /** Checks a request in the order that docs/http-api.md specifies in section 10. */
  function route(request: ServiceRequest): MaybePromise<ServiceResponse> {
    const { method, target } = request;
    const host = request.header("host");
    if (host !== undefined && !isValidHost(host)) return responses.invalidHost;
    if (request.rejection) return responses[request.rejection];
    if (method === "OPTIONS" && isPreflight(request)) {
      return cors.isAllowed(request.header("origin"))
        ? responses.preflightAllowed
        : responses.noContent;
    }
    if (method === "CONNECT") return responses.methodNotAllowed; // it has no path
    const { targetLength = target.length } = request;
    if (targetLength > urlLength) return responses.uriTooLong;

    // A path that exactly matches a route needs no URL parser.
    let { path, query } = splitTarget(target);
    if (!routes.has(path) || query.includes("#")) {
      ({ path, query } = parseTarget(target));
    }
    const get = routes.get(path);
    if (!get && !(method === "OPTIONS" && path === "*")) {
      return responses.notFound;
    }
    if (method === "OPTIONS") return responses.allowedMethods;
    if (method !== "GET" && method !== "HEAD") {
      return responses.methodNotAllowed;
    }
    const known = request.header("if-none-match");
    const response = get!(request, query);
    if (known === undefined) return response;
    return andThen(response, (response) => checkEtag(response, known));
  }

  /** Returns a function that responds with the API explorer or the OpenAPI document. */
  function serveResource(resource: Resource): Get {
    const cache: ResourceContext["cache"] = new Map();
    return async (request) => {
      const found = await resource({
        baseUrl: publicUrl ?? request.origin + basePath,
        store,
        hasOpenapi: openapi !== undefined,
        cache,
      });
      return createResourceResponse(create, found);
    };
  }

  async function getReadiness(): Promise<ServiceResponse> {
    if (isDraining()) return responses.unavailable;
    try {
      const readiness = await store.ready?.();
      if (!readiness) return responses.ok;
      const { loaded, rejected } = readiness;
      const body = { status: "ok", loaded, rejected };
      return createJson(create, STATUS_CODE.OK, body);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) reportError(error);
      return responses.unavailable;
    }
  }

  function fail(error: unknown): ServiceResponse {
    if (error instanceof StoreUnavailableError) return responses.unavailable;
    reportError(error);
    return responses.unexpected;
  }

  function reportError(error: unknown): void {
    try {
      const done: unknown = onError(error);
      if (isPromise(done)) done.then(undefined, () => {}); // an async function
    } catch {
      // Ignore errors from onError itself, so that the client gets a response.
    }
  }

  /** Adds the headers that depend on the request, and removes the body for HEAD. */
  function finish(
    request: ServiceRequest,
    response: ServiceResponse,
    start: number,
  ): ServiceResponse {
    const { status, body } = response;
    let { headers } = response;
    if (cors.headersFor) {
      const allowed = cors.headersFor(request.header("origin"));
      headers = [...addVary(headers, "Origin"), ...allowed];
    }
    if (reportResponse) {
      const id = reportResponse(request, response, start);
      headers = [...headers, REQUEST_ID, id];
    }
    if (request.method === "HEAD") return { status, headers };
    return headers === response.headers ? response : { status, headers, body };
  }

  return {
    responses,
    reportError,
    respond(request) {
      const start = reportResponse ? performance.now() : 0;
      let response: MaybePromise<ServiceResponse>;
      try {
        response = route(request);
      } catch (error) {
        response = fail(error);
      }
      return isPromise(response)
        ? response.catch(fail).then((response) =>
          finish(request, response, start)
        )
        : finish(request, response, start);
    },
  };
}

/** Whether the request is a CORS-preflight request (Fetch standard). */
function isPreflight(request: ServiceRequest): boolean {
  return request.header("origin") !== undefined &&
    request.header("access-control-request-method") !== undefined;
}
