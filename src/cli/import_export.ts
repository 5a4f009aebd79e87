import { lstat } from "node:fs/promises";
import { count } from "../domain/count.ts";
import { parsePlants } from "../stores/files/plants_file.ts";
import { readFile } from "../stores/files/read_file.ts";
import { createFile, rewriteFile } from "../stores/files/rewrite_file.ts";
import { readUserRecords } from "../stores/files/tokens_file.ts";
import { type Command, defineCommand, print } from "./command.ts";
import { toPlantsFile, toTokensFile } from "./file_format.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";
import { withDatabase } from "./user_storage.ts";

const OPTIONS = {
  plants: SERVE_OPTIONS.plants,
  tokens: SERVE_OPTIONS.tokens,
  // Both the files and the database are used.
  "database-url": { ...SERVE_OPTIONS["database-url"], excludedBy: [] },
};

/** `import`: replaces the contents of the database with the files. */
export const importCommand: Command = defineCommand({
  options: OPTIONS,
  async run({ settings }) {
    const path = settings.plants;
    await withDatabase(settings["database-url"], async ({ replace }) => {
      const plants = await parsePlants(path, await readFile(path));
      const users = await readUserRecords(settings.tokens);
      await replace(plants, users);
      print(
        `replaced the contents of the database with ${path} (plants: ${plants.length}) and ${settings.tokens} (users: ${users.size})`,
      );
      const lost = [...users.values()].filter(({ behavior }) => behavior);
      if (lost.length > 0) {
        print(
          `omitted the behavior (delay and fail) of ${
            count(lost.length, "user")
          }, because a database cannot store it`,
        );
      }
    });
    return 0;
  },
});

/** `export`: writes the contents of the database to the files. */
export const exportCommand: Command = defineCommand({
  options: OPTIONS,
  async run({ settings }) {
    await withDatabase(settings["database-url"], async ({ readAll }) => {
      const { plants, users } = await readAll();
      await replaceFile(settings.plants, toPlantsFile(plants));
      print(`wrote ${settings.plants} (plants: ${plants.length})`);
      await replaceFile(settings.tokens, toTokensFile(users));
      print(`wrote ${settings.tokens} (users: ${users.size})`);
    });
    return 0;
  },
});

async function replaceFile(path: string, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  if (!await lstat(path).catch(() => undefined)) {
    return await createFile(path, bytes);
  }
  await rewriteFile(path, () => Promise.resolve(bytes));
}
