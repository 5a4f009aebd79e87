import { ifNoneMatch } from "@std/http/etag";
import { STATUS_CODE } from "@std/http/status";
import {
  type EncodedList,
  type PlantList,
  type PlantStore,
  StoreUnavailableError,
  type Viewer,
} from "../domain/store.ts";
import { resolveBasePath } from "./base_path.ts";
import { readBearer } from "./bearer.ts";
import { resolveCors } from "./cors.ts";
import { createWait, type Delay } from "./delay.ts";
import { createReportResponse, REQUEST_ID } from "./events.ts";
import { isValidHost } from "./host.ts";
import { readLimit } from "./limit.ts";
import { createListResponse, encodeList } from "./list_response.ts";
import { isPromise, type MaybePromise } from "../domain/maybe_promise.ts";
import type { ServiceOptions } from "./options.ts";
import { resolvePublicUrl } from "./public_url.ts";
import type { ServiceRequest } from "./request.ts";
import { createResourceResponse, type Resource } from "./resource.ts";
import {
  createError,
  createJson,
  type ServiceResponse,
  toNotModified,
  withHeaders,
} from "./response.ts";
import { createResponses, type Responses } from "./responses.ts";
import { parseTarget, splitTarget } from "./target.ts";

/** A platform-independent service that responds to requests. */
export interface Service {
  /** Responds to a request. It never throws, and its promise never rejects. */
  respond(request: ServiceRequest): MaybePromise<ServiceResponse>;
  /** The constant responses, which a server also sends for invalid input. */
  readonly responses: Responses;
}

/** Responds to a GET or HEAD request for a path. */
type Get = (
  request: ServiceRequest,
  query: string,
) => MaybePromise<ServiceResponse>;

/**
 * Creates a service.
 *
 * @throws {RangeError} If an option is invalid.
 */
export function createService(
  store: PlantStore,
  options: ServiceOptions = {},
): Service {
  const { delay, page, openapi, onError = console.error, onResponse } = options;
  const { urlLength = Infinity, isDraining = () => false } = options;
  const basePath = resolveBasePath(options.basePath);
  const publicUrl = options.publicUrl === undefined
    ? undefined
    : resolvePublicUrl(options.publicUrl);
  const reportResponse = onResponse &&
    createReportResponse(onResponse, reportError);
  const cors = resolveCors(options.cors, reportResponse ? [REQUEST_ID] : []);
  const create = withHeaders([
    ...cors.common,
    ...["X-Content-Type-Options", "nosniff"],
  ]);
  const responses = createResponses(create, basePath);

  const routes = new Map<string, Get>([
    [`${basePath}/plants`, delay === undefined ? getPlants : withDelay(delay)],
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
    if (target.length > urlLength) return responses.uriTooLong;

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
    return get!(request, query);
  }

  /** Returns a function that responds to GET /plants after a delay. */
  function withDelay(delay: Delay): Get {
    const wait = createWait(delay);
    return async (request, query) => {
      await wait(request.signal);
      return await getPlants(request, query);
    };
  }

  /** Responds to GET /plants. */
  function getPlants(
    request: ServiceRequest,
    query: string,
  ): MaybePromise<ServiceResponse> {
    const token = readBearer(request.header("authorization"));
    if (token === undefined) return responses.noCredentials;
    if (token === "") return responses.invalidToken;
    const viewer = store.authenticate(token);
    return isPromise(viewer)
      ? viewer.then((viewer) => listPlants(viewer, request, query))
      : listPlants(viewer, request, query);
  }

  function listPlants(
    viewer: Viewer | undefined,
    request: ServiceRequest,
    query: string,
  ): MaybePromise<ServiceResponse> {
    if (!viewer) return responses.invalidToken;
    request.user = viewer.user;
    const limit = readLimit(query);
    if (typeof limit === "string") {
      return createError(create, STATUS_CODE.BadRequest, limit);
    }
    const list = viewer.list(limit);
    if ("body" in list) return sendList(list, request);
    return Promise.resolve<PlantList>(list)
      .then((list) => encodeList(list, limit))
      .then((list) => sendList(list, request));
  }

  /** The response for each list, cached for as long as the store keeps the list. */
  const listResponses = new WeakMap<EncodedList, ServiceResponse>();

  function sendList(
    list: EncodedList,
    request: ServiceRequest,
  ): ServiceResponse {
    let response = listResponses.get(list);
    if (!response) {
      response = createListResponse(create, list);
      listResponses.set(list, response);
    }
    return checkEtag(request, response, list.etag);
  }

  /** Returns `response`, or a 304 if the client already has it (RFC 9110 section 13.1.2). */
  function checkEtag(
    request: ServiceRequest,
    response: ServiceResponse,
    etag: string | undefined,
  ): ServiceResponse {
    const known = request.header("if-none-match");
    if (known === undefined || etag === undefined) return response;
    // ifNoneMatch takes quadratic time for long runs of spaces.
    if (ifNoneMatch(known.replace(/[ \t]+/g, " "), etag)) return response;
    return toNotModified(response);
  }

  /** Returns a function that responds with the API explorer or the OpenAPI document. */
  function serveResource(resource: Resource): Get {
    return async (request) => {
      const found = await resource({
        baseUrl: publicUrl ?? request.origin + basePath,
        store,
        hasOpenapi: openapi !== undefined,
      });
      const response = createResourceResponse(create, found);
      return checkEtag(request, response, found.headers["ETag"]);
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
      headers = [...headers, ...cors.headersFor(request.header("origin"))];
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
