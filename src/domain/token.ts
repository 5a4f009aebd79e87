/** The alphabet of a bearer token: `b64token` of RFC 6750 section 2.1. */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/** Whether `value` can be sent as a bearer token at all. */
export function isToken(value: string): boolean {
  return TOKEN.test(value);
}
