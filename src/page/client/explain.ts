import {
  type ApiRequest,
  type ApiResponse,
  type Field,
  PLANTS_PATH,
  toPlants,
} from "./api.ts";
import { plural, sizeOf } from "./dom.ts";

/** Reason phrases, which HTTP/2 does not have. */
const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  204: "No Content",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  405: "Method Not Allowed",
  414: "URI Too Long",
  503: "Service Unavailable",
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

/** Returns the status code and the reason phrase. */
export function titleOf({ status, reason }: ApiResponse): string {
  return `${status} ${reason || (REASONS[status] ?? "")}`;
}

/**
 * Explains a response. Returns an empty string if its message is sufficient.
 *
 * @param attempts The number of times the request was sent, including retries after 503.
 */
export function explain(
  request: ApiRequest,
  response: ApiResponse,
  copy: ApiResponse | undefined,
  attempts: number,
): string {
  const { status, body, headers, text } = response;
  const { error, message } = Object(body);
  if (status === 503) {
    const wait = headers.get("retry-after");
    const advice = wait
      ? ` The Retry-After header says to wait ${wait} s.`
      : "";
    return `Attempt ${attempts} failed.${advice}`;
  }
  if (status >= 500 || error === 500) {
    return "The request is valid, but the server failed. Try again later.";
  }
  if (status === 200) {
    const taken = attempts > 1 ? ` It took ${attempts} attempts.` : "";
    return explainOk(request, body) + taken;
  }
  if (status === 204) {
    return "The Allow header lists the methods that this path supports.";
  }
  if (status === 304 && copy) {
    const time = copy.time.toLocaleTimeString();
    return `Your copy from ${time} is current: its ETag, sent as If-None-Match, still matches. The server sent no body, which saved ${
      sizeOf(copy.text)
    }.`;
  }
  if (status === 400 && /^limit /.test(message)) {
    return "The token is valid, because the server checks it before the limit.";
  }
  if (status === 401) {
    return explainUnauthorized(request.token, headers.get("www-authenticate"));
  }
  if (status === 405) {
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
