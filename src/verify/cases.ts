import type { Case, Level, Rule } from "./case.ts";
import { ACCESS, CONNECTIONS, FAILURES, VALID_TOKENS } from "./cases/access.ts";
import { CONDITIONAL, CONDITIONAL_ORDER } from "./cases/conditional.ts";
import { CORS } from "./cases/cors.ts";
import {
  CREDENTIALS,
  CREDENTIALS_ORDER,
  REPEATED_CREDENTIALS,
} from "./cases/credentials.ts";
import { type Entry, toCase } from "./cases/entry.ts";
import { HEALTH } from "./cases/health.ts";
import { HOSTS } from "./cases/host.ts";
import { IGNORED, QUERIES } from "./cases/ignored.ts";
import { LIMIT, UNUSUAL_LIMITS } from "./cases/limit.ts";
import { HEAD, LIST_METHODS, MESSAGES } from "./cases/methods.ts";
import { PATHS, TARGETS } from "./cases/paths.ts";
import { RULE_ENTRIES } from "./cases/rules.ts";

// The contract as data: a request and its response for each statement of
// docs/http-api.md. A test case asserts only what that page states.

/** The version of docs/http-api.md. */
export const SPECIFICATION = "1.0";

/** The titles of the sections of docs/http-api.md. */
export const SECTIONS: readonly string[] = [
  "Resources",
  "Authentication",
  "Limit",
  "Status codes",
  "Headers",
  "Conditional requests",
  "HEAD and CORS",
  "Paths",
  "Health checks, API explorer, and OpenAPI document",
  "Order of checks",
  "Ignored input",
];

/**
 * The groups in the order in which their test cases are sent. What others depend on
 * comes first, so that the first failure of a run is the one to look at.
 */
const GROUPS: readonly (readonly [Level, number, readonly Entry[]])[] = [
  ["core", 1, ACCESS],
  ["core", 2, VALID_TOKENS],
  ["core", 3, LIMIT],
  ["core", 2, CREDENTIALS],
  ["core", 4, LIST_METHODS],
  ["core", 10, CREDENTIALS_ORDER],
  ["core", 11, QUERIES],
  ["core", 7, HEAD],
  ["core", 8, PATHS],
  ["http", 2, REPEATED_CREDENTIALS],
  ["http", 2, CONNECTIONS],
  ["http", 3, UNUSUAL_LIMITS],
  ["http", 4, MESSAGES],
  ["http", 4, HOSTS],
  ["http", 4, FAILURES],
  ["http", 9, HEALTH],
  ["http", 6, CONDITIONAL],
  ["http", 10, CONDITIONAL_ORDER],
  ["http", 7, CORS],
  ["http", 8, TARGETS],
  ["http", 11, IGNORED],
];

/** The test cases with a request, in the order in which they are sent. */
export const CASES: readonly Case[] = GROUPS.flatMap(
  ([level, section, entries]) => {
    const specification = SPECIFICATION;
    const group = { kind: "case", specification, level, section } as const;
    return entries.map((entry) => toCase(group, entry));
  },
);

/** The test cases that check all responses, after those with a request. */
export const RULES: readonly Rule[] = RULE_ENTRIES.map((entry) => (
  { kind: "rule", specification: SPECIFICATION, ...entry }
));

/**
 * Returns the test cases and rules whose IDs start with a prefix. Rules come last,
 * because they check all responses. The level `http` includes `core`.
 */
export function select(
  level: Level,
  prefixes: readonly string[],
): readonly (Case | Rule)[] {
  return [...CASES, ...RULES].filter((test) =>
    (level === "http" || test.level === level) &&
    startsWithAny(test.id, prefixes)
  );
}

/** Whether an ID starts with one of these prefixes. */
export function startsWithAny(
  id: string,
  prefixes: readonly string[],
): boolean {
  return prefixes.some((prefix) => id.startsWith(prefix));
}
