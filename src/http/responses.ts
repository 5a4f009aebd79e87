import { STATUS_CODE } from "@std/http/status";
import type { Rejection } from "./request.ts";
import {
  createError,
  createJson,
  type CreateResponse,
  type ServiceResponse,
} from "./response.ts";

/** The methods that every path supports. */
const ALLOW = "GET, HEAD, OPTIONS";

const CHALLENGE = 'Bearer realm="plant-store"';

/** The constant responses of a service. */
export interface Responses extends Record<Rejection, ServiceResponse> {
  readonly ok: ServiceResponse;
  readonly noContent: ServiceResponse;
  readonly preflightAllowed: ServiceResponse;
  readonly allowedMethods: ServiceResponse;
  readonly notFound: ServiceResponse;
  readonly methodNotAllowed: ServiceResponse;
  readonly uriTooLong: ServiceResponse;
  readonly noCredentials: ServiceResponse;
  readonly invalidToken: ServiceResponse;
  readonly unavailable: ServiceResponse;
  readonly unexpected: ServiceResponse;
  readonly headersTooLarge: ServiceResponse;
  readonly timeout: ServiceResponse;
}

/** Creates the constant responses of a service. */
export function createResponses(
  create: CreateResponse,
  basePath: string,
): Responses {
  const error = createError.bind(undefined, create);
  return {
    ok: createJson(create, STATUS_CODE.OK, { status: "ok" }),
    noContent: create(STATUS_CODE.NoContent),
    // deno-fmt-ignore
    preflightAllowed: create(STATUS_CODE.NoContent, [
      "Access-Control-Allow-Methods", ALLOW,
      // `*` does not include Authorization (Fetch standard, CORS-preflight fetch).
      "Access-Control-Allow-Headers", "Authorization, *",
      "Access-Control-Max-Age", "600",
    ]),
    allowedMethods: create(STATUS_CODE.NoContent, ["Allow", ALLOW]),
    notFound: error(
      STATUS_CODE.NotFound,
      `Not found; the plants are at ${basePath}/plants`,
    ),
    methodNotAllowed: error(
      STATUS_CODE.MethodNotAllowed,
      "Method not allowed; use GET, HEAD, or OPTIONS",
      ["Allow", ALLOW],
    ),
    uriTooLong: error(
      STATUS_CODE.URITooLong,
      "Request URL too long; send a shorter one",
    ),
    noCredentials: error(
      STATUS_CODE.Unauthorized,
      "Missing bearer token; send Authorization: Bearer <token>",
      ["WWW-Authenticate", CHALLENGE],
    ),
    invalidToken: error(
      STATUS_CODE.Unauthorized,
      "Invalid bearer token: malformed, unknown, revoked, or expired",
      ["WWW-Authenticate", `${CHALLENGE}, error="invalid_token"`],
    ),
    unavailable: error(
      STATUS_CODE.ServiceUnavailable,
      "The plants are temporarily unavailable; try again in a second",
      ["Retry-After", "1"],
    ),
    // The API specification requires 400 here (docs/http-api.md, section 4).
    unexpected: error(
      STATUS_CODE.BadRequest,
      "Cannot list the plants; try again later",
      [],
      STATUS_CODE.InternalServerError,
    ),
    // Errors that only servers can detect.
    invalidHost: error(
      STATUS_CODE.BadRequest,
      "Invalid Host header; expected a host with an optional port",
    ),
    invalidFraming: error(
      STATUS_CODE.BadRequest,
      "Unsupported transfer coding; use chunked",
    ),
    malformed: error(
      STATUS_CODE.BadRequest,
      "Malformed HTTP request",
    ),
    expectationFailed: error(
      STATUS_CODE.ExpectationFailed,
      "Only `Expect: 100-continue` is supported",
    ),
    headersTooLarge: error(
      STATUS_CODE.RequestHeaderFieldsTooLarge,
      "Request headers too large; send fewer or shorter headers",
    ),
    timeout: error(
      STATUS_CODE.RequestTimeout,
      "Request timed out; send it again",
    ),
  };
}
