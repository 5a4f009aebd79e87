import { ifNoneMatch } from "@std/http/etag";
import { findHeader, type ServiceResponse } from "./response.ts";

/**
 * Returns a 304 instead of a successful response if the client already has it
 * (RFC 9110 sections 13.1.2, 13.2.1, and 15.4.5).
 *
 * @param etags The value of the If-None-Match header.
 */
export function checkEtag(
  response: ServiceResponse,
  etags: string,
): ServiceResponse {
  const { status, headers } = response;
  const at = findHeader(headers, "etag");
  if (status < 200 || status > 299 || at === -1) return response;
  // ifNoneMatch takes quadratic time for long runs of white space.
  const isNew = ifNoneMatch(etags.replace(/\s+/g, " "), headers[at + 1]);
  if (isNew) return response;
  const kept = headers.filter((_, at) =>
    !/^Content-(?:Type|Length)$/i.test(headers[at - at % 2]!)
  );
  return { status: 304, headers: kept };
}
