import { plural } from "./dom.ts";
import { type ApiRequest, type Field, PLANTS_PATH } from "./request.ts";
import { type ApiResponse, toPlants } from "./response.ts";

/** Reason phrases, and explanations that do not depend on the request. */
const STATUSES: Readonly<Record<number, readonly [string, string?]>> = {
  200: ["OK"],
  204: [
    "No Content",
    "The Allow header lists the methods that this path supports.",
  ],
  304: ["Not Modified"],
  400: ["Bad Request"],
  401: ["Unauthorized"],
  404: [
    "Not Found",
    `This path does not exist. The plants are at ${PLANTS_PATH}.`,
  ],
  405: [
    "Method Not Allowed",
    "The path exists, but it does not support this method. The Allow header lists the methods that it supports.",
  ],
  408: [
    "Request Timeout",
    "The request took too long to arrive. Press Send again.",
  ],
  414: ["URI Too Long", "The URL is too long. Shorten the path or the limit."],
  417: [
    "Expectation Failed",
    "This page doesn't send an Expect header, so a proxy or browser extension probably added it.",
  ],
  431: [
    "Request Header Fields Too Large",
    "The headers are too large. Shorten the token.",
  ],
  503: ["Service Unavailable"],
};

/** The field to change after an error, by error number. */
export const FIXES: Readonly<Record<number, Field>> = {
  400: "limit",
  401: "token",
  404: "path",
  405: "method",
  414: "limit",
  431: "token",
};

const UNKNOWN =
  "Plant Store does not send this response. Check whether another service is running at this address.";

/** Returns the status code and the reason phrase, which HTTP/2 does not have. */
export function titleOf({ status, reason }: ApiResponse): string {
  return `${status} ${reason || (STATUSES[status]?.[0] ?? "")}`;
}

/** Explains a response. */
export function explain(
  request: ApiRequest,
  response: ApiResponse,
  copy: ApiResponse | undefined,
): string {
  const { status, body, headers } = response;
  const { error, message } = Object(body);
  if (status >= 500 || error === 500) {
    return "The request is valid, but the server failed. Try again later.";
  }
  if (status === 200) return explainOk(request, body);
  if (status === 304 && copy) {
    const time = copy.time.toLocaleTimeString();
    const size = plural(new Blob([copy.text]).size, "byte");
    return `Your copy from ${time} is current: its ETag, sent as If-None-Match, still matches. The server sent no body, which saved ${size}.`;
  }
  if (status === 400 && /^limit /.test(message)) {
    return "The limit is invalid. Change it, then press Send again. The token is valid, because the server checks it before the limit.";
  }
  if (status === 401) {
    return explainUnauthorized(request.token, headers.get("www-authenticate"));
  }
  return STATUSES[status]?.[1] ?? UNKNOWN;
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

function explainUnauthorized(token: string, challenge: string | null): string {
  if (/^bearer /i.test(token)) {
    return 'Enter the token without "Bearer"; the page adds it.';
  }
  if (!challenge?.includes("invalid_token")) {
    return "The request has no token. WWW-Authenticate names the scheme that the server requires.";
  }
  const expired = token === "demo-expired"
    ? "In the sample data, this token has expired, but the response does not say so. "
    : "";
  return `${expired}Unknown, revoked, and expired tokens get the same response, so it doesn't reveal which tokens exist.`;
}
