import type { UserRecords, UserUpdate } from "../stores/catalog/user.ts";
import { quoteArgument } from "../stores/catalog/program.ts";
import { readUserRecords, updateUser } from "../stores/files/tokens_file.ts";
import type { Admin } from "../stores/postgres/admin.ts";
import { type CommandLine, UsageError } from "./options.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";

/** The options that specify where the users are stored. */
export const USERS_OPTIONS: Pick<
  typeof SERVE_OPTIONS,
  "tokens" | "database-url"
> = {
  tokens: SERVE_OPTIONS.tokens,
  "database-url": SERVE_OPTIONS["database-url"],
};

/** What a command line says about where the users are stored. */
type UsersLine = CommandLine<typeof USERS_OPTIONS>;
type DatabaseLine = CommandLine<Pick<typeof USERS_OPTIONS, "database-url">>;

/** Reads and changes users in a tokens file or a database. */
export interface UserStorage {
  /** The name of the file or database, for messages. */
  readonly place: string;
  /** The options of a suggested command for the same file or database. */
  readonly options: string;
  /** Reads all users in order. */
  readUsers(): Promise<UserRecords>;
  /** Changes one user. */
  updateUser(name: string, update: UserUpdate): Promise<void>;
}

/** Finds the users: in the database if its URL is set, or else in the tokens file. */
export function findUsers(line: UsersLine): UserStorage {
  const { tokens: path, "database-url": url } = line.settings;
  if (url === undefined) {
    const isDefault = !line.sources.has("tokens");
    return {
      place: path,
      options: isDefault ? "" : ` --tokens ${quoteArgument(path, "FILE")}`,
      readUsers: () => readUserRecords(path),
      updateUser: (name, update) => updateUser(path, name, update),
    };
  }
  return {
    place: "the database",
    options: toDatabaseOption(line),
    readUsers: () => withDatabase(line, ({ readUsers }) => readUsers()),
    updateUser: (name, update) =>
      withDatabase(line, ({ updateUser }) => updateUser(name, update)),
  };
}

/** Runs a task with the database. Throws if its URL is not set. */
export async function withDatabase<T>(
  line: DatabaseLine,
  task: (admin: Admin) => Promise<T>,
): Promise<T> {
  const url = line.settings["database-url"];
  if (url === undefined) {
    throw new UsageError("specify --database-url or DATABASE_URL");
  }
  // File-only setups never load this module.
  const { withDatabase } = await import("../stores/postgres/admin.ts");
  try {
    return await withDatabase(url, task);
  } catch (error) {
    throw completeSuggestion(error as Error, line);
  }
}

/** Adds the option for the database to the `import` command that an error suggests, if any. */
export function completeSuggestion(error: Error, line: DatabaseLine): Error {
  error.message = error.message.replace(
    / import$/,
    `$&${toDatabaseOption(line)}`,
  );
  return error;
}

/** Returns the option of a suggested command for the same database. */
function toDatabaseOption({ sources }: DatabaseLine): string {
  // The URL can contain a password.
  return sources.get("database-url") === "--database-url"
    ? " --database-url URL"
    : "";
}
