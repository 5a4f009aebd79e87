import {
  readUserRecords,
  updateUser,
  type UserRecords,
  type UserUpdate,
} from "../stores/tokens_file.ts";
import { requireDatabase } from "./database.ts";
import { DATABASE_URL, type Settings, TOKENS } from "./options.ts";

/** The users, in a tokens file or in a database. */
export interface Directory {
  /** What messages call it. */
  readonly name: string;
  /** Reads all users in their order. */
  readUsers(): Promise<UserRecords>;
  /** Changes one user. */
  updateUser(name: string, update: UserUpdate): Promise<void>;
}

/** The options that say where the users are. */
export const DIRECTORY_OPTIONS: {
  readonly tokens: typeof TOKENS;
  readonly "database-url": typeof DATABASE_URL;
} = { tokens: TOKENS, "database-url": DATABASE_URL };

/** Runs a task with the users of the database, if one is named, or else of the tokens file. */
export async function withDirectory<T>(
  settings: Settings<typeof DIRECTORY_OPTIONS>,
  task: (directory: Directory) => Promise<T>,
): Promise<T> {
  const path = settings.tokens!;
  const url = settings["database-url"];
  if (url === undefined) {
    return await task({
      name: path,
      readUsers: () => readUserRecords(path),
      updateUser: (name, update) => updateUser(path, name, update),
    });
  }
  return await requireDatabase(
    url,
    (admin) => task({ ...admin, name: "the database" }),
  );
}
