export type Field = "method" | "path" | "token" | "limit";

export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly token: string;
  /** The ETag of the cached response. */
  readonly etag?: string | null | undefined;
}

/** The path of the plants, including the base path. */
export const PLANTS_PATH: string = resolvePath("plants");

/** Resolves a path against the URL of the page. */
export function resolvePath(path: string): string {
  return new URL(path, location.href).pathname;
}

/** Returns the headers that the page sets. */
export function headersOf({ token, etag }: ApiRequest): [string, string][] {
  const headers: [string, string][] = [];
  if (token) headers.push(["Authorization", `Bearer ${token}`]);
  if (etag) headers.push(["If-None-Match", etag]);
  return headers;
}
