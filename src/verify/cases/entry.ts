import type { Plant } from "../../core/domain/plant.ts";
import type { Case, CaseRequest, Expected } from "../case.ts";

/** A test case as it is written in this folder. */
export interface Entry
  extends Expected, Omit<Case, keyof Group | "request" | "expected"> {
  /** The method with the target, and then the headers. */
  readonly send: readonly [line: string, ...headers: string[]];
  /** Other properties of the request. Default: none. */
  readonly request?: Partial<CaseRequest>;
  /** The plants to return, with status 200. */
  readonly list?: readonly Plant[];
  /** Whether to use the connection of the previous request. */
  readonly sameConnection?: true;
}

/** What the test cases of a group share. */
export type Group = Pick<Case, "kind" | "specification" | "level" | "section">;

/** Returns the test case that an entry of a group describes. */
export function toCase(group: Group, entry: Entry): Case {
  const { send, status = 200, headers, body, list, ...details } = entry;
  const { request, previousRequest, sameConnection, ...others } = details;
  const hasBody = !send[0].startsWith("HEAD") && status !== 204 &&
    status !== 304;
  // A plant without a tag must not have one in the response.
  const plants = list?.map(({ name, tag }) => ({ name, tag }));
  return {
    ...group,
    ...others,
    ...previousRequest && { previousRequest },
    request: { ...toRequest(...send), ...request },
    expected: {
      ...{ status, headers: headers ?? {} },
      body: plants ?? body ?? (hasBody ? undefined : ""),
    },
    ...sameConnection && {
      previousRequest: { ...previousRequest!, connection: "keep" },
      request: { ...toRequest(...send), connection: "reuse" },
      needsServer: true,
    },
  };
}

/** Returns a request, for example with `GET /plants` and `Host: h`. */
export function toRequest(line: string, ...headers: string[]): CaseRequest {
  const [method = "GET", target = ""] = line.split(" ");
  return { method, target, headers: headers.map(toHeader) };
}

function toHeader(line: string): readonly [name: string, value: string] {
  const [name = "", ...value] = line.split(": ");
  return [name, value.join(": ")];
}

/** The credentials of users. */
export const ALL = "Authorization: Bearer test-all";
export const FERNS = "Authorization: Bearer test-ferns";
export const NONE = "Authorization: Bearer test-none";
export const FAILING = "Authorization: Bearer test-failing";
/** Conditions. ETAG becomes the ETag of the previous response. */
export const SAME = "If-None-Match: ETAG";
export const ANY = "If-None-Match: *";
export const ORIGIN = "Origin: https://a.example";

/** The challenges to requests without bearer credentials, and with an invalid token. */
export const NO_TOKEN = { "www-authenticate": "Bearer" };
export const INVALID_TOKEN = {
  "www-authenticate": 'Bearer error="invalid_token"',
};
export const NO_STORE = { "cache-control": "no-store" };
/** A test case that only a server can receive. */
export const SERVER = { needsServer: true } as const;
/** A request that the HTTP library of a server can reject. */
export const LIBRARY = { mayBypassService: true } as const;
export const SERVER_LIBRARY = {
  needsServer: true,
  mayBypassService: true,
} as const;
