import { StoreUnavailableError } from "../mod.ts";

// What the OpenAPI document says of the answers of GET /plants.

/** A request whose answer is an example. */
export interface ExampleRequest {
  readonly summary: string;
  readonly method?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the store throws; the sample data is listed by default. */
  readonly failure?: Error;
}

/** An answer of the operation. */
export interface Answer {
  readonly description: string;
  /** The schema of the body; none where there is no body. */
  readonly schema?: unknown;
  /** Requests that get it, by the names of the examples. */
  readonly requests: Readonly<Record<string, ExampleRequest>>;
}

const PLANTS = { type: "array", items: { $ref: "#/components/schemas/Plant" } };
const ERROR = { $ref: "#/components/schemas/Error" };

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** The answers of the operation by their status. */
export const ANSWERS: Readonly<Record<number, Answer>> = {
  200: {
    description:
      "Plant response: the plants that the user may see, `limit` of them at most.",
    schema: PLANTS,
    requests: {
      florist: {
        summary: "The first three that demo-florist may see (limit=3)",
        query: "?limit=3",
        headers: bearer("demo-florist"),
      },
      visitor: {
        summary: "All that demo-visitor may see: nothing",
        headers: bearer("demo-visitor"),
      },
    },
  },
  304: {
    description:
      "What you have is up to date: `If-None-Match` held the `ETag` of the answer, or `*`. There is no body.",
    requests: {
      known: {
        summary: "A client that has the answer already",
        headers: { ...bearer("demo-florist"), "If-None-Match": "*" },
      },
    },
  },
  400: {
    description:
      "Unexpected error: `limit` or `Host` can't be used (`error` 400; `message` says what is allowed), or the plants could not be listed (`error` 500).",
    schema: ERROR,
    requests: {
      limit: {
        summary: "A limit that is not a number (limit=many)",
        query: "?limit=many",
        headers: bearer("demo-florist"),
      },
      host: {
        summary: "A Host that is none (Host: a/b)",
        headers: { ...bearer("demo-florist"), Host: "a/b" },
      },
      unexpected: {
        summary: "The store failed",
        headers: bearer("demo-florist"),
        failure: new Error("The store failed"),
      },
    },
  },
  401: {
    description:
      "There is no bearer token, or one that is malformed, unknown, revoked or expired: `WWW-Authenticate` tells which.",
    schema: ERROR,
    requests: {
      missing: { summary: "No credentials" },
      expired: {
        summary: "A token that has expired",
        headers: bearer("demo-expired"),
      },
    },
  },
  405: {
    description:
      "Another method than `GET`, `HEAD` and `OPTIONS` was used on this path.",
    schema: ERROR,
    requests: { post: { summary: "POST instead of GET", method: "POST" } },
  },
  414: {
    description:
      "The request target is too long; servers accept 8192 characters by default.",
    schema: ERROR,
    requests: {
      target: {
        summary: "A target of more than 8192 characters",
        query: `?limit=${"0".repeat(8_192)}`,
        headers: bearer("demo-florist"),
      },
    },
  },
  503: {
    description:
      "The plants can't be listed for now: try again after `Retry-After`.",
    schema: ERROR,
    requests: {
      unavailable: {
        summary: "The store is away",
        headers: bearer("demo-florist"),
        failure: new StoreUnavailableError("The store is away"),
      },
    },
  },
};

/** What the header fields of the answers mean. */
export const HEADERS: Readonly<Record<string, string>> = {
  "ETag":
    "Names the exact body: equal content has an equal tag in every process. Send it as `If-None-Match` with the next request, and a body that you have already is not sent again (304).",
  "Cache-Control":
    "Who may keep the answer: plants the client alone, which asks each time whether they are up to date; failures nobody.",
  "Vary":
    "What the answer depends on beside its URL: `Authorization`, since another token may see other plants; `Origin` where only some origins may read it.",
  "WWW-Authenticate":
    "Which credentials are asked for; `error` where those that came are refused (RFC 6750 section 3).",
  "Allow": "The methods that this path answers.",
  "Retry-After": "In how many seconds to try again.",
  "Access-Control-Allow-Origin":
    "Which origins may read the answer in a browser; left out where none may.",
  "Access-Control-Expose-Headers":
    "Which header fields a script of another origin may read.",
  "X-Content-Type-Options":
    "Tells browsers to take the media type at its word.",
};
