import type { AnswerRequest } from "./request.ts";

/**
 * Checks the address under which clients reach the service.
 *
 * @param url Such as `https://plants.example/api`, base path and all.
 * @returns The address without a slash at its end.
 * @throws {RangeError} When it is not the address of a service over HTTP.
 */
export function resolvePublicUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (
    parsed && /^https?:$/.test(parsed.protocol) && parsed.username === "" &&
    parsed.password === "" && !/[?#]/.test(url)
  ) {
    return parsed.href.replace(/\/+$/, "");
  }
  throw new RangeError(
    "a URL like https://plants.example is needed, without user, query or fragment",
  );
}

/** The scheme and host of an absolute-form target. */
const ORIGIN = /^(https?:\/\/[^/?#\\]+)/i;

/**
 * Returns the URL that a request was sent to, up to the base path. The host of an
 * absolute-form target overrides the Host header (RFC 9112 section 3.2.2).
 */
export function readBaseUrl(request: AnswerRequest, basePath: string): string {
  const origin = ORIGIN.exec(request.target)?.[1] ??
    `${request.scheme}://${request.header("host") ?? ""}`;
  // Not every host that HTTP allows has a place in a URL, such as one with port 99999.
  return `${URL.canParse(origin) ? new URL(origin).origin : ""}${basePath}`;
}
