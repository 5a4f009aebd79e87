import {
  type Edit,
  editTokensFile,
  readUserRecords,
  type UserRecords,
} from "../stores/edit.ts";
import { requireDatabase } from "./database.ts";
import { DATABASE_URL, type Settings, TOKENS } from "./options.ts";

/** The users, wherever they are kept. */
export interface Directory {
  /** What to call it. */
  readonly name: string;
  read(): Promise<UserRecords>;
  /** Edits one user; `decide` is given that user at least, and gives the edits. */
  edit(
    user: string,
    decide: (users: UserRecords) => readonly Edit[],
  ): Promise<void>;
}

/** The options that say where the users are kept. */
export const DIRECTORY_OPTIONS: {
  readonly tokens: typeof TOKENS;
  readonly "database-url": typeof DATABASE_URL;
} = { tokens: TOKENS, "database-url": DATABASE_URL };

/** Does something with the users of the database where one is named, else of the tokens file. */
export async function withDirectory<T>(
  settings: Settings<typeof DIRECTORY_OPTIONS>,
  task: (directory: Directory) => Promise<T>,
): Promise<T> {
  const path = settings.tokens!;
  const url = settings["database-url"];
  if (url === undefined) {
    return await task({
      name: path,
      read: () => readUserRecords(path),
      edit: (_user, decide) => editTokensFile(path, decide),
    });
  }
  return await requireDatabase(
    url,
    ({ readUsers, editUser }) =>
      task({ name: "the database", read: readUsers, edit: editUser }),
  );
}
