import type { Plant } from "../../../core/domain/plant.ts";

export type Field = "method" | "path" | "token" | "limit";

export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly token: string;
  readonly etag?: string | null | undefined;
}

export interface ApiResponse {
  readonly response: Response;
  readonly text: string;
  readonly body: unknown; // undefined if the text is not JSON
  readonly milliseconds: number;
}

/**
 * The URL that the paths of the API are relative to. Without a known path, that is the
 * path of this page, which hosts serve with and without a slash at the end.
 */
const BASE = new URL(
  document.documentElement.dataset["base"] ||
    location.pathname.replace(/\/?$/, "/"),
  location.href,
);

export const PLANTS_PATH: string = resolvePath("plants");

/** How many seconds to wait for a response. `--delay` can add 5. */
export const TIMEOUT = 30;

/** Resolves a path, which can have a query, against the URL of the API. */
export function resolvePath(path: string): string {
  if (!URL.canParse(path, BASE)) return path; // such as `//[`
  const { pathname, search } = new URL(path, BASE);
  return pathname + search;
}

/** Returns the headers that the explorer sets. */
export function headersOf({ token, etag }: ApiRequest): [string, string][] {
  const headers: [string, string][] = [];
  if (token) headers.push(["Authorization", `Bearer ${token}`]);
  if (etag) headers.push(["If-None-Match", etag]);
  return headers;
}

/** Sends a request, until it is aborted. Measures the time once the API is ready. */
export async function fetchResponse(
  request: ApiRequest,
  controller: AbortController = new AbortController(),
  send: typeof fetch = fetch,
): Promise<ApiResponse> {
  if ("live" in document.documentElement.dataset && !isSecureContext) {
    throw new DOMException("", "SecurityError");
  }
  if (!/^[\t -~\x80-\xff]*$/.test(request.token)) {
    throw new DOMException("", "InvalidCharacterError");
  }
  await Object(globalThis).apiReady; // the script of a static explorer sets it
  const start = performance.now();
  const timeout = AbortSignal.timeout(TIMEOUT * 1_000);
  const response = await send(request.url, {
    method: request.method,
    headers: headersOf(request),
    credentials: "omit", // a link can contain any path of the server
    cache: "no-store", // the browser's own cache would hide a 304
    signal: AbortSignal.any([controller.signal, timeout]),
  });
  const text = await response.clone().text();
  const milliseconds = performance.now() - start;
  const body = await response.clone().json().catch(() => undefined);
  return { response, text, body, milliseconds };
}

/** Returns `body` if it is a list of plants. */
export function toPlants(body: unknown): readonly Plant[] | undefined {
  const isList = Array.isArray(body) &&
    body.every((plant) =>
      typeof plant?.name === "string" &&
      ["string", "undefined"].includes(typeof plant.tag)
    );
  return isList ? body : undefined;
}

/** Whether the same request can succeed later. */
export function isTemporary(status: Result["status"]): boolean {
  return status === 429 || status === 503;
}

/** What to show about a response or a failed request. */
export interface Result {
  readonly title: string;
  readonly status: number | "unsent" | "waiting" | "none";
  /** The size and the duration. */
  readonly figures?: readonly string[];
  readonly message?: unknown;
  readonly meaning?: string;
  /** The field to change next. */
  readonly fix?: Field | undefined;
}

/** A query parameter that is not `limit`, but similar. */
export const MISSPELLED: RegExp = /([?&])(?!limit=)[Ll][IMTimt]+[Ss]?=/;

/** The scheme, which does not belong in the token field. */
export const SCHEME: RegExp = /^(?:authorization: *)?bearer[: ] */i;
