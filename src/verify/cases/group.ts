import type { Plant } from "../../core/domain/plant.ts";
import type {
  Case,
  CaseRequest,
  Expected,
  Level,
  RequiredHeaders,
} from "../case.ts";

/** A test case as it is written in this folder. Its group determines the rest. */
export interface Entry
  extends
    Expected,
    Omit<Case, "kind" | "level" | "section" | "request" | "expected"> {
  /** The method with the target, and then the headers. */
  readonly send: readonly [line: string, ...headers: string[]];
  /** The plants to return, with status 200. */
  readonly list?: readonly Plant[];
}

/** Returns the test cases of a level that belong to a section. */
export function group(
  level: Level,
  section: number,
  entries: readonly Entry[],
): readonly Case[] {
  return entries.map((entry) => {
    const { send, status = 200, headers = {}, body, list, ...rest } = entry;
    const isEmpty = /^HEAD/.test(send[0]) || status === 204 || status === 304;
    // A plant without a tag must not have one in the response.
    const plants = list?.map(({ name, tag }) => ({ name, tag }));
    return {
      ...rest,
      ...{ kind: "case", level, section },
      request: toRequest(...send),
      expected: {
        ...{ status, headers },
        body: plants ?? body ?? (isEmpty ? "" : undefined),
      },
    };
  });
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
export const NO_TOKEN: RequiredHeaders = {
  "www-authenticate": {
    text: "no error parameter",
    excluded: /[ ,]error[ \t]*=/i,
  },
};
export const INVALID_TOKEN: RequiredHeaders = {
  "www-authenticate": {
    text: 'Bearer error="invalid_token"',
    // A rule reports missing challenges.
    pattern: /^$|[ ,]error[ \t]*=[ \t]*"?invalid_token(?:[", \t]|$)/i,
  },
};
export const NO_STORE: RequiredHeaders = { "cache-control": ["no-store"] };
/** A request that the HTTP library of a server can reject. */
export const LIBRARY = { mayBypassService: true } as const;
