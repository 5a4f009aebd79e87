import {
  type ApiRequest,
  type ApiResponse,
  type Field,
  isTemporary,
  PLANTS_PATH,
  type Result,
  SCHEME,
  TIMEOUT,
  toPlants,
} from "./api.ts";
import { plural, sizeOf } from "./dom.ts";

/** Reason phrases, which HTTP/2 does not have, and the fields to change. */
const STATUSES: Readonly<Record<number, readonly [string, Field?]>> = {
  200: ["OK", "path"], // such as /healthz, or with an unknown parameter
  204: ["No Content"],
  304: ["Not Modified"],
  400: ["Bad Request", "limit"],
  401: ["Unauthorized", "token"],
  404: ["Not Found", "path"],
  405: ["Method Not Allowed", "method"],
  414: ["URI Too Long", "limit"],
  429: ["Too Many Requests"],
  431: ["Request Header Fields Too Large", "token"],
  503: ["Service Unavailable"],
};

/** Titles and explanations for errors without a response, by name. */
const FAILURES: Readonly<Record<string, readonly [string, string]>> = {
  AbortError: ["Canceled", "You stopped waiting for the response."],
  InvalidCharacterError: [
    "Request not sent",
    "The token contains characters that are not allowed in a header.",
  ],
  SecurityError: [
    "Request not sent",
    "The API runs in your browser, which requires HTTPS or localhost. Open this page at another address.",
  ],
  TimeoutError: [
    "No response",
    `The server did not respond within ${TIMEOUT} seconds, so there is no status code. Try again later.`,
  ],
  TypeError: [
    "No response",
    "The server is stopped or unreachable, so there is no status code. Start the server, and then press Send again.",
  ],
};

const UNKNOWN =
  "Plant Store does not send this response. Check whether another service is running at this address.";

export function titleOf({ status, statusText }: Response): string {
  return `${status} ${statusText || (STATUSES[status]?.[0] ?? "")}`;
}

/** Returns the field to change after a status or an error with this number. */
export function findFix(error: number): Field | undefined {
  return STATUSES[error]?.[1];
}

export function explainFailure({ name }: Error): Result {
  const [title, text] = FAILURES[name] ?? FAILURES["TypeError"]!;
  const meaning = navigator.onLine ? text : `You are offline. ${text}`;
  return { title, status: "none", meaning };
}

/** Explains a response. Returns an empty string if its message is sufficient. */
export function explain(
  request: ApiRequest,
  { response: { status, headers }, body, text }: ApiResponse,
  copy: ApiResponse | undefined,
  attempts: number,
): string {
  const { error, message } = Object(body);
  if (isTemporary(status)) {
    const wait = headers.get("retry-after");
    const tip = wait ? ` The Retry-After header says to wait ${wait} s.` : "";
    return `Attempt ${attempts} failed.${tip}`;
  }
  if (status >= 500 || error === 500) {
    return "The request is valid, but the server failed. Try again later.";
  }
  if (status === 200) {
    const taken = attempts > 1 ? ` It took ${attempts} attempts.` : "";
    return explainOk(request, body) + taken + explainIgnored(request);
  }
  if (status === 304 && copy) {
    const size = sizeOf(copy.text);
    return `Your copy in the Plants tab is current: its ETag, sent as If-None-Match, still matches. The server sent no body, which saved ${size}.`;
  }
  if (status === 400 && /^limit /.test(message)) {
    return "The token is valid, because the server checks it before the limit.";
  }
  if (status === 401) {
    return explainUnauthorized(request.token, headers.get("www-authenticate"));
  }
  if (status === 204 || status === 405) {
    return "The path exists. The Allow header lists the methods that it supports.";
  }
  if (request.method === "HEAD" && text === "") {
    return "A response to HEAD has no body, so there is no error message.";
  }
  return typeof message === "string" ? "" : UNKNOWN;
}

function explainOk({ method, url }: ApiRequest, body: unknown): string {
  if (url.pathname !== PLANTS_PATH) {
    return "This path exists, but it does not list plants.";
  }
  if (method === "HEAD") {
    return "HEAD returns the same headers as GET, but no body.";
  }
  const count = toPlants(body)?.length;
  if (count === undefined) return UNKNOWN;
  const limit = url.searchParams.get("limit");
  if (limit === "0") return "The list is empty because the limit is 0.";
  if (count === 0) {
    return "The token is valid, but its user does not have access to any plants. An empty list is not an error.";
  }
  const isCut = count === Number(limit);
  const which = count === 1
    ? `This is the ${isCut ? "first" : "only"} plant`
    : `These are ${isCut ? "the first" : "all"} ${plural(count, "plant")}`;
  return `The token is valid. ${which} that its user can see.`;
}

function explainIgnored({ url }: ApiRequest): string {
  const name = [...url.searchParams.keys()].find((name) => name !== "limit");
  if (name === undefined) return "";
  return ` The server ignores "${name}": its only query parameter is "limit".`;
}

function explainUnauthorized(token: string, challenge: string | null): string {
  if (SCHEME.test(token)) {
    return 'Enter the token without "Bearer"; the explorer adds it.';
  }
  if (!challenge?.includes("invalid_token")) {
    return "The request has no token. WWW-Authenticate names the scheme that the server requires.";
  }
  const expired = token === "demo-expired"
    ? "In the demo data, this token has expired, but the response does not say so. "
    : "";
  return `${expired}Malformed, unknown, revoked, and expired tokens get the same response, so it doesn't reveal which exist.`;
}
