import type { PlantStore } from "../domain/store.ts";
import { quote } from "../internal/quote.ts";
import type { MaybePromise } from "../internal/maybe_promise.ts";
import type { RouteHandler, ServiceRequest } from "./request.ts";
import { createEtag, type ServiceResponse } from "./response.ts";

/**
 * Creates the response for a path that requires no credentials, such as the API
 * explorer. It is called for each GET or HEAD request. If the response has an `ETag`, a client
 * that sends it back receives 304.
 *
 * @param context Information about the service.
 */
export type Resource = (
  context: ResourceContext,
) => MaybePromise<ResourceResponse>;

/** Information about the service for a {@linkcode Resource}. */
export interface ResourceContext {
  /**
   * The URL of the service, including the base path, without a trailing slash:
   * the `publicUrl` option, or else the origin of the request and the base path.
   * If the request has no host, the URL is only the base path.
   */
  readonly baseUrl: string;
  /** The path of the `publicUrl` option, such as `/api` or `""`; undefined without that option. */
  readonly publicPath?: string | undefined;
  /** The source of plants and users. */
  readonly store: PlantStore;
  /** Whether the service has an OpenAPI document. */
  readonly hasOpenapi: boolean;
}

/** The response from a {@linkcode Resource}. */
export interface ResourceResponse {
  /** The status code, from 200 to 599. */
  readonly status: number;
  /** The headers by name. Those that the service sets itself are ignored, such as `Content-Length` and CORS headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, as text or as bytes; absent if there is none. */
  readonly body?: string | Uint8Array;
}

/**
 * Creates the response with a document, which clients can revalidate.
 *
 * @param headers The headers, except ETag and Cache-Control.
 */
export async function createDocument(
  headers: ResourceResponse["headers"],
  text: string,
): Promise<ResourceResponse> {
  const body = new TextEncoder().encode(text);
  const ETag = await createEtag(body);
  return {
    status: 200,
    headers: { ...headers, ETag, "Cache-Control": "no-cache" },
    body,
  };
}

/**
 * Creates a function that responds with the API explorer or the OpenAPI document.
 *
 * @param getBaseUrl Returns the URL of the service, as a client sees it.
 */
export function createGetResource(
  resource: Resource,
  context: Omit<ResourceContext, "baseUrl">,
  getBaseUrl: (request: ServiceRequest) => string,
): RouteHandler {
  return async (request) => {
    const baseUrl = getBaseUrl(request);
    return createResourceResponse(await resource({ ...context, baseUrl }));
  };
}

/** A header name, which is a token (RFC 9110 section 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** A header value that every platform accepts. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The headers that the server and the service set. */
const RESERVED =
  /^(?:access-control-.*|connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade|x-content-type-options|x-request-id)$/i;

/** The statuses whose responses cannot have a body (Fetch standard, null body status). */
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Converts the response from a resource to a form that every platform can send.
 *
 * @throws {TypeError} If the response from the resource is invalid.
 */
function createResourceResponse(
  { status, headers, body }: ResourceResponse,
): ServiceResponse {
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new TypeError(`expected a status from 200 to 599, got ${status}`);
  }
  const list: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (RESERVED.test(name)) continue;
    if (!HEADER_NAME.test(name)) {
      throw new TypeError(`invalid header name ${quote(name)}`);
    }
    if (typeof value !== "string" || !HEADER_VALUE.test(value)) {
      throw new TypeError(`invalid value for header ${quote(name)}`);
    }
    list.push(name, value);
  }
  const content = body === undefined || typeof body === "string"
    ? new TextEncoder().encode(body)
    : body;
  // Bytes from another realm, as in jsdom, are not an instance of `Uint8Array`.
  if (!ArrayBuffer.isView(content)) {
    throw new TypeError("expected the body to be text or bytes");
  }
  const { buffer, byteOffset, byteLength } = content;
  if (byteLength > 0 && NO_BODY.has(status)) {
    throw new TypeError(`unexpected body in a response with status ${status}`);
  }
  if (status !== 204 && status !== 304) {
    list.push("Content-Length", `${byteLength}`);
  }
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return { status, headers: list, body: byteLength > 0 ? bytes : undefined };
}
