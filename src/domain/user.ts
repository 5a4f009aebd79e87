import * as v from "valibot";
import { type Access, AccessSchema } from "./access.ts";
import { type Problem, record, toProblems } from "./schema.ts";
import type { Credential } from "./snapshot.ts";

/**
 * A token as a tokens file has it: its digest, never the token.
 *
 * @example
 * ```ts
 * import type { TokenRecord } from "plant-store/files";
 *
 * const token: TokenRecord = {
 *   sha256: "4b7c6ac5e6ca8ba4ab9ab9ab9ab9ab9ab9ab9ab9ab9ab9ab9ab9ab9ab9ab9ab9",
 *   expires: "2030-01-01",
 * };
 * ```
 */
export interface TokenRecord {
  /** The SHA-256 of the token, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** When it was made: a date (midnight UTC), or a date and time with its offset. */
  readonly created?: string;
  /** The moment from which it is refused, likewise; never unless given. */
  readonly expires?: string;
}

/** A user as a tokens file has it. */
export interface UserRecord {
  /** What the user may see. */
  readonly plants: Access;
  /** The user's tokens. */
  readonly tokens: readonly TokenRecord[];
}

/** A date, or a date and time with its offset from UTC (RFC 3339 section 5.6). */
const DATE =
  /^(\d{4}-\d{2}-\d{2})(?:T(?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))?$/;

function date(name: string): v.GenericSchema<string> {
  const message =
    `${name} must be a date like 2030-01-31, or a date and time like 2030-01-31T12:00:00Z`;
  return v.pipe(
    v.string(message),
    v.regex(DATE, message),
    v.check((text) => !DATE.test(text) || isDate(text), message),
  );
}

/** Whether `text` is a date of a tokens file. */
export function isDate(text: string): boolean {
  const day = DATE.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(text))) return false;
  // Date.parse takes the 31st of every month.
  return new Date(day).toISOString().startsWith(day);
}

/**
 * What a user of a tokens file may be.
 *
 * @example
 * ```ts
 * import { UserSchema } from "plant-store/files";
 * import * as v from "valibot";
 * import { assert } from "@std/assert";
 *
 * assert(v.is(UserSchema, { plants: { tags: ["fern"] }, tokens: [] }));
 * ```
 */
export const UserSchema: v.GenericSchema<UserRecord> = record("a user", {
  plants: AccessSchema,
  tokens: v.array(
    record("a token", {
      sha256: v.pipe(
        v.string("sha256 must be 64 lower-case hexadecimal digits"),
        v.regex(
          /^[0-9a-f]{64}$/,
          "sha256 must be 64 lower-case hexadecimal digits",
        ),
      ),
      created: v.exactOptional(date("created")),
      expires: v.exactOptional(date("expires")),
    }),
    "tokens must be an array",
  ),
});

/** The users of a tokens file. */
export interface Users {
  /** How many users there are, with tokens or without. */
  readonly users: number;
  /** Whom each token stands for, by its digest. */
  readonly credentials: ReadonlyMap<string, Credential>;
}

/**
 * Reads what a tokens file holds: an object of users by name. They are read one
 * by one, since a user may be called `__proto__`, which a schema of the whole
 * would drop.
 */
export function readUsers(
  value: unknown,
): Users | { readonly problems: readonly Problem[] } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const message = "the users must be an object";
    return { problems: [{ path: [], message, isKey: false }] };
  }
  const problems: Problem[] = [];
  const credentials = new Map<string, Credential>();
  let users = 0;
  for (const [user, record] of Object.entries(value)) {
    if (user === "$schema" && typeof record === "string") continue;
    const nameProblem = judgeName(user);
    if (nameProblem) {
      problems.push({ path: [user], message: nameProblem, isKey: true });
    }
    const result = v.safeParse(UserSchema, record);
    if (!result.success) {
      problems.push(
        ...toProblems(result.issues).map((problem) => ({
          ...problem,
          path: [user, ...problem.path],
        })),
      );
      continue;
    }
    users++;
    const { plants: access, tokens } = result.output;
    for (const [index, { sha256, expires }] of tokens.entries()) {
      if (credentials.has(sha256)) {
        problems.push({
          path: [user, "tokens", index, "sha256"],
          message: "the same digest stands in this file twice",
          isKey: false,
        });
      }
      credentials.set(sha256, {
        user,
        access,
        ...expires !== undefined && { expires: Date.parse(expires) },
      });
    }
  }
  return problems.length > 0 ? { problems } : { users, credentials };
}

/** What is wrong with a user's name, if anything. */
export function judgeName(user: string): string | undefined {
  if (user === "$schema") return "no user can be called $schema";
  if (user === "" || /\p{Cc}/u.test(user) || !user.isWellFormed()) {
    return "a user's name must be a non-empty string of well-formed Unicode without control characters";
  }
  return undefined;
}
