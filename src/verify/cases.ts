import type { Case, CaseInfo, Level, Rule } from "./case.ts";
import { ACCESS } from "./cases/access.ts";
import { CONDITIONAL } from "./cases/conditional.ts";
import { CORS } from "./cases/cors.ts";
import { CREDENTIALS } from "./cases/credentials.ts";
import { HEALTH } from "./cases/health.ts";
import { IGNORED } from "./cases/ignored.ts";
import { LIMIT } from "./cases/limit.ts";
import { METHODS } from "./cases/methods.ts";
import { PATHS } from "./cases/paths.ts";
import { RULES } from "./cases/rules.ts";

// The contract as data: a request and its response for each statement of
// docs/http-api.md. A test case asserts only what that page states.

// What others depend on comes first, so that the first failure is the one to look at.
// deno-fmt-ignore: two lines
const GROUPS = [
  ACCESS, LIMIT, CREDENTIALS, METHODS, PATHS, HEALTH, CONDITIONAL, CORS, IGNORED,
].flat();

/** The test cases with a request, in the order in which they are sent. */
export const CASES: readonly Case[] = [
  ...GROUPS.filter(({ level }) => level === "core"),
  ...GROUPS.filter(({ level }) => level === "http"),
];

export { RULES };

/**
 * Returns the test cases and rules with one of these IDs, or with IDs that start with its
 * words. Rules come last, because they check all responses. The level `http` includes `core`.
 *
 * @param ids Default: all IDs.
 */
export function select(
  level: Level,
  ids?: readonly string[],
): readonly (Case | Rule)[] {
  return [...CASES, ...RULES].filter((test) =>
    (level === "http" || test.level === level) &&
    (!ids || hasId(test, ids))
  );
}

/** Whether a test case has one of these IDs, or one that starts with its words. */
export function hasId({ id }: CaseInfo, ids: readonly string[]): boolean {
  return ids.some((each) => `${id}.`.startsWith(`${each}.`));
}
