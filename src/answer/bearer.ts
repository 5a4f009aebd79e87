import { isToken } from "../domain/token.ts";

/** A scheme is a token (RFC 9110 section 5.6.2), its case does not count (section 11.1). */
const SCHEME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+/;

/** Spaces alone may stand between the scheme and the token (RFC 6750 section 2.1). */
const CREDENTIALS = /^bearer +([^ ]*)$/i;

/**
 * Reads bearer credentials.
 *
 * @param authorization The value of the Authorization field; of several fields,
 * all their values, joined with a comma, which no token can hold.
 * @returns The token; `""` when the scheme is Bearer and the token is malformed
 * or missing; undefined when there are no credentials of this scheme.
 */
export function readBearer(
  authorization: string | undefined,
): string | undefined {
  // What nearly all of them are, read fast.
  if (authorization?.startsWith("Bearer ")) {
    const token = authorization.slice(7);
    if (isToken(token)) return token;
  }
  const scheme = authorization?.match(SCHEME)?.[0];
  if (scheme?.toLowerCase() !== "bearer") return undefined;
  const token = authorization?.match(CREDENTIALS)?.[1] ?? "";
  return isToken(token) ? token : "";
}
