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

/** A command line that can set the URL of a database. */
type DatabaseLine = CommandLine<Pick<typeof USERS_OPTIONS, "database-url">>;

/** Reads and changes users in a tokens file or a database. */
export interface UserStorage extends Pick<Admin, "readUsers" | "updateUser"> {
  /** The name of the file or database, for messages. */
  readonly place: string;
  /** The options of a suggested command for the same file or database. */
  readonly options: string;
}

/** Finds the users: in the database if its URL is set, or else in the tokens file. */
export function findUsers(
  line: CommandLine<typeof USERS_OPTIONS>,
): UserStorage {
  const { tokens: path, "database-url": url } = line.settings;
  if (url !== undefined) {
    return {
      place: "the database",
      options: toDatabaseOption(line),
      readUsers: () => withDatabase(line, (admin) => admin.readUsers()),
      updateUser: (name, update) =>
        withDatabase(line, (admin) => admin.updateUser(name, update)),
    };
  }
  const option = ` --tokens ${quoteArgument(path, "FILE")}`;
  return {
    place: path,
    options: line.sources.has("tokens") ? option : "",
    readUsers: () => readUserRecords(path),
    updateUser: (name, update) => updateUser(path, name, update),
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
  return await withDatabase(url, task).catch((error) => {
    throw completeSuggestion(error, line);
  });
}

/** Completes the `import` command at the end of a message, if there is one. */
export function completeSuggestion(error: Error, line: DatabaseLine): Error {
  const option = toDatabaseOption(line);
  error.message = error.message.replace(/ import$/, `$&${option}`);
  return error;
}

/** Returns the option of a suggested command for the same database. */
function toDatabaseOption({ sources }: DatabaseLine): string {
  const isVariable = sources.get("database-url") === "DATABASE_URL";
  return isVariable ? "" : " --database-url URL"; // it can contain a password
}
