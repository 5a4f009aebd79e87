import { createError, createJson, type ServiceResponse } from "./response.ts";

// The responses that do not depend on the options.

/** The methods that every path supports. */
const METHODS = "GET, HEAD, OPTIONS";

const CHALLENGE = 'Bearer realm="plant-store"';

export const ok: ServiceResponse = createJson(200, { status: "ok" });

export const noContent: ServiceResponse = { status: 204, headers: [] };

/** Creates the response to a CORS preflight for a request with these headers. */
export const allowPreflight = (headers: string): ServiceResponse => ({
  status: 204,
  // deno-fmt-ignore
  headers: [
    "Access-Control-Allow-Methods", METHODS,
    "Access-Control-Allow-Headers", headers,
    "Access-Control-Max-Age", "600",
  ],
});

export const allowedMethods: ServiceResponse = {
  status: 204,
  headers: ["Allow", METHODS],
};

export const methodNotAllowed: ServiceResponse = createError(
  405,
  "Method not allowed; use GET, HEAD, or OPTIONS",
  ["Allow", METHODS],
);

export const uriTooLong: ServiceResponse = createError(
  414,
  "Request URL too long; send a shorter one",
);

export const noCredentials: ServiceResponse = createError(
  401,
  "No bearer token; send Authorization: Bearer <token>",
  ["WWW-Authenticate", CHALLENGE],
);

export const invalidToken: ServiceResponse = createError(
  401,
  "Invalid bearer token: malformed, unknown, revoked, or expired",
  ["WWW-Authenticate", `${CHALLENGE}, error="invalid_token"`],
);

export const unavailable: ServiceResponse = createError(
  503,
  "The plants are temporarily unavailable; try again in a second",
  ["Retry-After", "1"],
);

/** Only logs show this status, which is nginx's. */
export const disconnected: ServiceResponse = createError(
  499,
  "Client disconnected",
);

/** The API specification requires 400 here (docs/http-api.md, section 4). */
export const unexpected: ServiceResponse = createError(
  400,
  "Unexpected failure; try again later",
  [],
  500,
);

export const invalidHost: ServiceResponse = createError(
  400,
  "Invalid Host header; expected a host with an optional port",
);

export const invalidFraming: ServiceResponse = createError(
  400,
  "Unsupported transfer coding; use chunked",
);

export const expectationFailed: ServiceResponse = createError(
  417,
  "Only `Expect: 100-continue` is supported",
);
