import { STATUS_CODE } from "@std/http/status";
import { failure, json, type Reply } from "./reply.ts";

// The replies that are the same each time.

/** The methods that every path answers. */
const ALLOW = "GET, HEAD, OPTIONS";

/** The refusal of a method, which has to name those allowed (RFC 9110 section 15.5.6). */
export const METHOD_NOT_ALLOWED: Reply = failure(
  STATUS_CODE.MethodNotAllowed,
  `Only ${ALLOW} are answered here`,
  { headers: { Allow: ALLOW } },
);

const CHALLENGE = 'Bearer realm="plant-store"';

export const OK: Reply = json(STATUS_CODE.OK, { status: "ok" }, {
  "Cache-Control": "no-store",
});
export const NO_CONTENT: Reply = { status: STATUS_CODE.NoContent, headers: {} };
export const PREFLIGHT_ALLOWED: Reply = {
  ...NO_CONTENT,
  headers: {
    "Access-Control-Allow-Methods": ALLOW,
    // A bare `*` leaves Authorization out (Fetch standard, CORS-preflight fetch).
    "Access-Control-Allow-Headers": "Authorization, *",
    "Access-Control-Max-Age": "600",
  },
};
export const ALLOWED: Reply = { ...NO_CONTENT, headers: { Allow: ALLOW } };
export const BAD_HOST: Reply = failure(
  STATUS_CODE.BadRequest,
  "The Host field must be a host with an optional port",
);
export const NO_CREDENTIALS: Reply = failure(
  STATUS_CODE.Unauthorized,
  "Send a bearer token: Authorization: Bearer <token>",
  { headers: { "WWW-Authenticate": CHALLENGE } },
);
export const INVALID_TOKEN: Reply = failure(
  STATUS_CODE.Unauthorized,
  "The bearer token is malformed, unknown, revoked or expired: send another one",
  { headers: { "WWW-Authenticate": `${CHALLENGE}, error="invalid_token"` } },
);
export const URI_TOO_LONG: Reply = failure(
  STATUS_CODE.URITooLong,
  "The target is too long: send a shorter one",
);
// The interface (section 7) has 400 for every unexpected failure.
export const UNEXPECTED: Reply = failure(
  STATUS_CODE.BadRequest,
  "The plants could not be listed: try again later",
  { error: STATUS_CODE.InternalServerError },
);
export const UNAVAILABLE: Reply = failure(
  STATUS_CODE.ServiceUnavailable,
  "The plants are not available right now: try again in a second",
  { headers: { "Retry-After": "1" } },
);

// What a listener refuses before there is a request to answer.
export const BAD_FRAMING: Reply = failure(
  STATUS_CODE.BadRequest,
  "The only transfer coding that is understood is chunked",
);
export const MALFORMED: Reply = failure(
  STATUS_CODE.BadRequest,
  "The request is not well-formed HTTP",
);
export const HEADERS_TOO_LARGE: Reply = failure(
  STATUS_CODE.RequestHeaderFieldsTooLarge,
  "The header fields are too large: send less of them",
);
export const TIMEOUT: Reply = failure(
  STATUS_CODE.RequestTimeout,
  "The request did not arrive in time: send it again",
);
export const EXPECTATION_FAILED: Reply = failure(
  STATUS_CODE.ExpectationFailed,
  "The only expectation that is met is 100-continue",
);
