import { TOKEN } from "../domain/token.ts";

/** The scheme in any letter case, spaces, and a token (RFC 6750 section 2.1). */
const CREDENTIALS = new RegExp(`^bearer +(${TOKEN.source})$`, "i");

/** The scheme, a character that ends its name, and not only spaces (RFC 9110 section 11.1). */
const SCHEME = /^bearer(?: +[^ ]|[^ !#$%&'*+\-.^_`|~0-9A-Za-z])/i;

/**
 * Reads bearer credentials.
 *
 * @param authorization The value of the Authorization header. Repeated headers
 * are joined with a comma, which no token contains.
 * @returns The token, `""` if it is malformed, or `undefined` if it is missing or
 * the scheme is not Bearer.
 */
export function readBearer(authorization = ""): string | undefined {
  const token = CREDENTIALS.exec(authorization)?.[1];
  return token ?? (SCHEME.test(authorization) ? "" : undefined);
}
