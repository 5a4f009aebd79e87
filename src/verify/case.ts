/** A request of the contract, without a body. */
export interface CaseRequest {
  readonly method: string;
  /** The request target, without the base path. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface CaseResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/**
 * Sends a request and receives the response.
 *
 * @param signal Aborts the request.
 * @throws {Error} If there is no response.
 */
export type Send = (
  request: CaseRequest,
  signal: AbortSignal,
) => Promise<CaseResponse>;

/**
 * What a header must be: a text, a pattern, a list with these members, of which
 * `a|b` means that one is enough, or `null` if it must be absent.
 */
export type HeaderRequirement = string | Pattern | readonly string[] | null;

/** The requirements for headers, by their names in lower case. */
export type RequiredHeaders = Readonly<Record<string, HeaderRequirement>>;

/** A pattern for a header, which is `""` if it is absent, or one that must not match. */
export interface Pattern {
  /** What is required, for messages. */
  readonly text: string;
  readonly pattern?: RegExp;
  readonly excluded?: RegExp;
}

/** The requirements for a response. An absent property allows any value. */
export interface Expected {
  /** The status, or the statuses that are allowed. */
  readonly status?: number | readonly number[];
  readonly headers?: RequiredHeaders;
  /**
   * The value of the JSON, or `""`. Undefined properties must be absent, and others can
   * be added. Regular expressions match strings.
   */
  readonly body?: unknown;
}

/** The part of docs/http-api.md that a test case belongs to. */
export type Level = "core" | "http";

/** The version of docs/http-api.md. */
export const SPECIFICATION = "1.0";

/** What a test case requires, and where docs/http-api.md says so. */
export interface CaseInfo {
  /** The words of the ID, separated by dots: `limit.rejected.empty`. */
  readonly id: string;
  /** The level: `core` or `http`. */
  readonly level: Level;
  /** The section of docs/http-api.md. */
  readonly section: number;
  /** What is required, as a sentence without a period. */
  readonly title: string;
}

/** A test case with a request and the response to it. */
export interface Case extends CaseInfo {
  readonly kind: "case";
  readonly request: CaseRequest;
  readonly expected: Expected;
  /**
   * The request for the ETag that replaces `ETAG` in the headers. Default: a request for
   * the list of all plants.
   */
  readonly previousRequest?: CaseRequest;
  /** A request of which three copies are sent at the same time as this one, three times. */
  readonly rival?: CaseRequest;
  /** Whether the HTTP library can respond, so that rules apply only to status 401. */
  readonly mayBypassService?: true;
}

/** A test case that checks the responses to all other test cases. */
export interface Rule extends CaseInfo {
  readonly kind: "rule";
  /** Returns the requirements for a response, or `undefined` if the rule does not apply. */
  expect(request: CaseRequest, response: CaseResponse): Expected | undefined;
}

/** Returns the properties that describe a test case, without its request. */
export function toInfo({ id, level, section, title }: CaseInfo): CaseInfo {
  return { id, level, section, title };
}
