import { findHeader, type ServiceResponse } from "./response.ts";

/** A member of a list, in which quoted text can contain commas. */
const MEMBER = /(?:[^",]|"[^"]*(?:"|$))+/g;

/** An entity tag, of which only the quoted part is compared (RFC 9110 section 8.8.3). */
const ENTITY_TAG = /^[ \t]*(?:W\/)?("[^"]*")[ \t]*$/;

/**
 * Returns a 304 instead of a list or a document if the client already has it
 * (RFC 9110 sections 13.1.2, 13.2.1, and 15.4.5).
 *
 * @param known The value of the If-None-Match header.
 */
export function checkEtag(
  response: ServiceResponse,
  known: string,
): ServiceResponse {
  const { headers } = response;
  const index = findHeader(headers, "etag");
  if (index === -1) return response;
  const etag = headers[index + 1];
  const isKnown = known === "*" ||
    known.match(MEMBER)?.some((each) => ENTITY_TAG.exec(each)?.[1] === etag);
  if (!isKnown) return response;
  const kept = headers.filter((_, at) =>
    !/^Content-(?:Type|Length)$/i.test(headers[at - at % 2]!)
  );
  return { status: 304, headers: kept };
}
