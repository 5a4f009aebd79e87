import type { Access } from "../../mod.ts";
import type { Case as ContractCase } from "../../src/contract/cases.ts";
import { CASES as CONTRACT } from "../../src/contract/cases.ts";
import { PLANTS, USERS } from "../../src/contract/data.ts";

export type { CaseRequest, CaseResponse } from "../../src/contract/cases.ts";
export { PLANTS } from "../../src/contract/data.ts";

/** The configuration of the service; `open` unless a case sets another one. */
export type Setup =
  | "open"
  | "documented"
  | "based"
  | "listed"
  | "closed"
  | "broken"
  | "unavailable";

/** A test case of the contract, or of a setup that only this implementation has. */
export interface Case extends Omit<ContractCase, "level" | "section"> {
  readonly setup?: Setup;
}

/** What users can see, by their valid tokens. */
export const ACCESS: Readonly<Record<string, Access>> = Object.fromEntries(
  USERS.filter(({ user }) => user !== "late")
    .map(({ token, plants }) => [token, plants]),
);

const [MONSTERA] = PLANTS;

const bearer = (token: string) => ["Authorization", `Bearer ${token}`] as const;
const ALL = [bearer("all")];
const REALM = 'Bearer realm="plant-store"';
const METHODS = "GET, HEAD, OPTIONS";
const ORIGIN = ["Origin", "https://a.example"] as const;
const OTHER = ["Origin", "https://b.example"] as const;
const REQUESTED = ["Access-Control-Request-Method", "GET"] as const;
const ALLOW_ORIGIN = "access-control-allow-origin";
const ifNoneMatch = (tags: string) => ["If-None-Match", tags] as const;
const NO_TOKEN = { has: { "www-authenticate": REALM } };

/** A request line, like `GET /plants`, and its response. */
function request(
  id: string,
  line: string,
  status: number,
  rest: Omit<Case, "id" | "method" | "target" | "status"> = {},
): Case {
  const [method = "GET", target = ""] = line.split(" ");
  return { id, method, target, status, ...rest };
}

/** Cases in another setup. */
const inSetup = (setup: Setup, cases: readonly Case[]): readonly Case[] =>
  cases.map((each) => ({ ...each, setup }));

/** A target that does not exist. */
const missing = (id: string, target: string): Case =>
  request(`path.missing.${id}`, `GET ${target}`, 404, { headers: ALL });

/** A long `limit`, which the message truncates. */
const cuts = (id: string, query: string): Case =>
  request(`limit.rejected.${id}`, `GET /plants?${query}`, 400, {
    headers: ALL,
  });

/** The headers of a response that an origin, each one, or none can read. */
const readable = (origin: string | null, vary?: string | null) => ({
  [ALLOW_ORIGIN]: origin,
  "access-control-expose-headers": origin &&
    "ETag, WWW-Authenticate, Allow, Retry-After",
  "access-control-allow-credentials": null,
  "x-request-id": null,
  ...vary !== undefined && { vary },
});

/** The test cases of the contract, and those for what only this implementation has. */
export const CASES: readonly Case[] = [
  ...CONTRACT,

  // Messages
  cuts("longest", `limit=${"x".repeat(64)}`),
  cuts("cut", `limit=${"x".repeat(64)}y`),
  cuts("cut-character", `limit=${"%F0%9F%8C%BF".repeat(65)}`),

  // Other implementations can return either challenge.
  request("credentials.scheme-alone-challenge", "GET /plants", 401, {
    headers: [["Authorization", "Bearer"]],
    ...NO_TOKEN,
  }),

  // Paths at which other setups have the API explorer and the OpenAPI document
  missing("root", "/"),
  missing("absolute-root", "http://other.example"),
  missing("absolute-other", "http://plants/"),
  missing("page", "/?x"),
  missing("openapi", "/openapi.json"),

  // CORS
  ...inSetup("listed", [
    request("cors.listed.match", "GET /plants", 200, {
      headers: [ORIGIN, bearer("all")],
      has: readable("https://a.example", "Authorization, Origin"),
    }),
    request("cors.listed.other", "GET /plants", 200, {
      headers: [OTHER, bearer("all")],
      has: readable(null, "Authorization, Origin"),
    }),
    request("cors.listed.none", "GET /plants", 200, {
      headers: ALL,
      has: readable(null, "Authorization, Origin"),
    }),
    request("cors.listed.error", "GET /plants", 401, {
      headers: [["Origin", "http://localhost:3000"]],
      has: readable("http://localhost:3000", "Origin"),
    }),
    request("preflight.listed.match", "OPTIONS /plants", 204, {
      headers: [ORIGIN, REQUESTED],
      has: {
        ...readable("https://a.example", "Origin"),
        "access-control-allow-headers": "Authorization, *",
      },
    }),
    request("preflight.listed.other", "OPTIONS /plants", 204, {
      headers: [OTHER, REQUESTED],
      has: {
        ...readable(null, "Origin"),
        "access-control-allow-headers": null,
      },
    }),
  ]),
  ...inSetup("closed", [
    request("cors.closed.list", "GET /plants", 200, {
      headers: [ORIGIN, bearer("all")],
      has: readable(null, "Authorization"),
    }),
    request("preflight.closed", "OPTIONS /plants", 204, {
      headers: [ORIGIN, REQUESTED],
      has: { ...readable(null, null), "access-control-allow-methods": null },
    }),
  ]),

  // The OpenAPI document
  ...inSetup("documented", [
    request("openapi", "GET /openapi.json", 200, {
      has: {
        "content-type": "application/json",
        "etag": /^"[0-9a-f]{32}"$/,
        "cache-control": "no-cache",
        "vary": null,
      },
      body: /^\{\n {2}"openapi": "3\.1\.0",\n/,
    }),
    request("openapi.head", "HEAD /openapi.json", 200, { body: "" }),
    request("openapi.host", "GET /openapi.json", 200, {
      headers: [["Host", "plants.example:81"]],
      body: /"url": "http:\/\/plants\.example:81"/,
    }),
    request("openapi.absolute", "GET http://o.example:81/openapi.json", 200, {
      headers: [["Host", "plants.example"]],
      body: /"url": "http:\/\/o\.example:81"/,
    }),
    request("openapi.same", "GET /openapi.json", 304, {
      headers: [ifNoneMatch("*")],
      has: { "etag": /^"/, "cache-control": "no-cache", "content-type": null },
      body: "",
    }),
    request("openapi.method", "POST /openapi.json", 405, {
      has: { "allow": METHODS },
    }),
    request("openapi.options", "OPTIONS /openapi.json", 204),
  ]),

  // The base path
  ...inSetup("based", [
    request("base.list", "GET /api/v1/plants?limit=1", 200, {
      headers: ALL,
      body: [MONSTERA],
    }),
    request("base.health", "GET /api/v1/healthz", 200),
    request("base.ready", "GET /api/v1/readyz", 200),
    request("base.openapi", "GET /api/v1/openapi.json", 200, {
      headers: [["Host", "plants.example"]],
      body: /"url": "http:\/\/plants\.example\/api\/v1"/,
    }),
    request("base.openapi-outside", "GET /openapi.json", 404),
    request("base.outside", "GET /plants", 404, {
      headers: ALL,
      body: /at \/api\/v1\/plants/,
    }),
    request("base.health-outside", "GET /healthz", 404),
    request("base.twice", "GET /api/v1/api/v1/plants", 404),
    request("base.escaped", "GET /%61pi/v1/healthz", 200),
  ]),

  // A store that fails synchronously, or asynchronously for the token `later`
  ...inSetup("broken", [
    ...["all", "later"].map((token) =>
      request(`broken.list.${token}`, "GET /plants", 400, {
        headers: [bearer(token)],
        has: { "www-authenticate": null },
      })
    ),
    request("broken.nothing-internal", "GET /plants", 400, {
      headers: ALL,
      body: /^(?!.*secret detail)/s,
    }),
    request("broken.health", "GET /healthz", 200),
    request("broken.ready", "GET /readyz", 503),
    request("broken.credentials-first", "GET /plants", 401, NO_TOKEN),
  ]),
  ...inSetup("unavailable", [
    ...["GET /plants", "GET /plants?later", "GET /readyz"].map((line) =>
      request(`unavailable.${line}`, line, 503, {
        headers: [bearer(line.includes("later") ? "later" : "all"), ORIGIN],
        has: { ...readable("*"), "retry-after": "1" },
      })
    ),
  ]),
];
