import { type ApiRequest, headersOf } from "./request.ts";

export interface ApiResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown; // undefined if the text is not JSON
  readonly time: Date;
  readonly milliseconds: number;
}

export interface Plant {
  readonly name: string;
  readonly tag?: string;
}

/** Sends a request. */
export async function fetchResponse(request: ApiRequest): Promise<ApiResponse> {
  if (!/^[\t -~\x80-\xff]*$/.test(request.token)) {
    throw new DOMException("", "InvalidCharacterError");
  }
  const start = performance.now();
  const response = await fetch(request.url, {
    method: request.method,
    headers: headersOf(request),
    cache: "no-store", // the browser's own cache would hide a 304
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.clone().text();
  return {
    status: response.status,
    reason: response.statusText,
    headers: response.headers,
    text,
    body: await response.json().catch(() => undefined),
    time: new Date(),
    milliseconds: performance.now() - start,
  };
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
