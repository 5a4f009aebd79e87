import process from "node:process";
import type { Admin } from "../stores/postgres/admin.ts";
import type { UserRecords, UserUpdate } from "../stores/catalog/user.ts";
import { readUserRecords, updateUser } from "../stores/files/tokens_file.ts";
import { type Settings, UsageError } from "./options.ts";
import { SERVE_OPTIONS, toOption } from "./serve_options.ts";

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

/** The options that specify where the users are stored. */
export const USERS_OPTIONS: Pick<
  typeof SERVE_OPTIONS,
  "tokens" | "database-url"
> = {
  tokens: SERVE_OPTIONS.tokens,
  "database-url": SERVE_OPTIONS["database-url"],
};

/** Runs a task with the users in the database if its URL is set, or else in the tokens file. */
export async function withUsers<T>(
  settings: Settings<typeof USERS_OPTIONS>,
  task: (storage: UserStorage) => Promise<T>,
): Promise<T> {
  const path = settings.tokens;
  const url = settings["database-url"];
  if (url === undefined) {
    return await task({
      place: path,
      options: toOption("tokens", path),
      readUsers: () => readUserRecords(path),
      updateUser: (name, update) => updateUser(path, name, update),
    });
  }
  // The URL can contain a password.
  const options = process.env["DATABASE_URL"] === url
    ? ""
    : " --database-url URL";
  return await withDatabase(
    url,
    (admin) => task({ ...admin, place: "the database", options }),
  );
}

/** Runs a task with a database. Throws if its URL is not set. */
export async function withDatabase<T>(
  url: string | undefined,
  task: (admin: Admin) => Promise<T>,
): Promise<T> {
  if (url === undefined) {
    throw new UsageError("specify --database-url or DATABASE_URL");
  }
  // File-only setups never load this module.
  const { withDatabase } = await import("../stores/postgres/admin.ts");
  return await withDatabase(url, task);
}
