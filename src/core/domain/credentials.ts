import * as v from "valibot";
import { sha256Sync } from "../internal/digest.ts";
import { addIssues, type ProblemList } from "../internal/schema.ts";
import type { Access } from "./access.ts";
import type { Behavior } from "./behavior.ts";
import { type Token, UserSchema } from "./user.ts";

/** What a token gives access to. All tokens of a user without an expiry share one object. */
export interface Credential {
  readonly name: string;
  readonly access: Access;
  readonly behavior?: Behavior | undefined;
  /** When the token expires, in milliseconds since the Unix epoch. Default: never. */
  readonly expires?: number | undefined;
}

/**
 * The credentials of all users. Each user is validated separately, because a schema
 * for the whole object would drop a user named `__proto__`.
 */
export class Credentials {
  /** What each user can see, by the name of the user. */
  readonly users: Map<string, Access> = new Map();
  readonly tokens: Map<string, Credential> = new Map();
  /** The credentials by the SHA-256 digest of the token. */
  readonly digests: Map<string, Credential> = new Map();
  /** The digests of all tokens, or the plain tokens if digests are asynchronous. */
  readonly #known = new Set<string>();

  /** Adds a user, or the problems with it. Skips the property `$schema`. */
  add(name: string, record: unknown, problems: ProblemList): void {
    if (name === "$schema" && typeof record === "string") return;
    const message = findNameProblem(name);
    if (message) problems.add({ path: [], message, property: name });
    const result = v.safeParse(UserSchema, record);
    if (!result.success) {
      addIssues(problems, [name], result.issues);
      return;
    }
    const { plants, tokens, behavior } = result.output;
    const user = { name, access: plants, behavior };
    this.users.set(name, plants);
    for (const [index, token] of tokens.entries()) {
      if (this.#addToken(user, token)) continue;
      const message = "duplicate token; remove one of the duplicates";
      problems.add({ path: [name, "tokens", index], message });
    }
  }

  /** Adds a token. Returns whether it is new. */
  #addToken(user: Credential, record: Token): boolean {
    const fields: Partial<Record<"token" | "sha256" | "expires", string>> =
      typeof record === "string" ? { token: record } : record;
    const { token, sha256: digest = "", expires } = fields;
    const credential = expires === undefined
      ? user
      : { ...user, expires: Date.parse(expires) };
    if (token === undefined) this.digests.set(digest, credential);
    else this.tokens.set(token, credential);
    const key = token === undefined
      ? digest
      : sha256Sync(token) ?? `token ${token}`;
    if (this.#known.has(key)) return false;
    this.#known.add(key);
    return true;
  }
}

function findNameProblem(name: string): string | undefined {
  if (name === "$schema") return "$schema cannot be a user name";
  if (name === "" || /\p{Cc}/u.test(name) || !name.isWellFormed()) {
    return "a user name must not be empty or contain control characters";
  }
  return undefined;
}
