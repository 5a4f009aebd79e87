import type { PlantStore } from "../domain/store.ts";
import type { MaybePromise } from "../internal/maybe_promise.ts";
import type { RouteHandler, ServiceRequest } from "./request.ts";
import { createEtag } from "./response.ts";

/**
 * Creates a document that requires no credentials, such as the API explorer. It is called
 * for each GET or HEAD request. A client that sends back the ETag receives 304.
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
  /** The `publicUrl` option without a trailing slash; undefined without that option. */
  readonly publicUrl?: string | undefined;
  /** The source of plants and users. */
  readonly store: PlantStore;
  /** Whether the service has an OpenAPI document. */
  readonly hasOpenapi: boolean;
}

/** The document of a {@linkcode Resource}. The service sets ETag, Cache-Control, Content-Length, nosniff, and CORS headers. */
export interface ResourceResponse {
  /** The headers by name, such as `Content-Type`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the document. */
  readonly text: string;
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
    const { headers, text } = await resource({ ...context, baseUrl });
    const body = new TextEncoder().encode(text);
    const all = new Headers(headers);
    all.set("Content-Length", `${body.length}`);
    all.set("ETag", await createEtag(body));
    all.set("Cache-Control", "no-cache");
    return { status: 200, headers: [...all].flat(), body };
  };
}
