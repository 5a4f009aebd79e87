import type { EncodedPlants } from "../../domain/encoded_plants.ts";
import type { UserRecords, UserUpdate } from "../tokens_file.ts";
import { type Client, explain, loadPostgres } from "./client.ts";
import { type Content, readAll, replaceContent } from "./content.ts";
import { change } from "./schema.ts";
import { readUsers, writeUser } from "./users.ts";

/** What the commands do with a database. */
export interface Admin {
  /** Reads all users in their order. */
  readUsers(): Promise<UserRecords>;
  /** Changes one user. Creates the tables if there are none. */
  updateUser(name: string, update: UserUpdate): Promise<void>;
  /** Puts other plants and users in the place of all, and makes the tables if there are none. */
  replace(plants: EncodedPlants, users: UserRecords): Promise<void>;
  /** Reads all plants and users, of one moment. */
  readAll(): Promise<Content>;
}

/**
 * Does something with a database, on a connection of its own.
 *
 * @throws {RangeError} When `url` is no address of a database.
 * @throws {Error} When the database can't be used.
 */
export async function withDatabase<T>(
  url: string,
  task: (admin: Admin) => Promise<T>,
): Promise<T> {
  const client = (await loadPostgres(url))();
  const run = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    try {
      return await work(client);
    } catch (error) {
      throw isOwn(error) ? error : explain(error);
    }
  };
  try {
    return await task({
      readUsers: () => run(({ sql }) => readUsers(sql)),
      updateUser: (name, update) =>
        run((client) =>
          change(client, async (sql) => {
            const users = await readUsers(sql, name);
            await writeUser(sql, name, update(users.get(name)));
          })
        ),
      replace: (plants, users) =>
        run((client) => replaceContent(client, plants, users)),
      readAll: () => run(readAll),
    });
  } finally {
    client.destroy();
  }
}

/** Whether an error was made here, rather than by the database or on the way to it. */
function isOwn(error: unknown): boolean {
  return (error as { code?: unknown }).code === undefined;
}
