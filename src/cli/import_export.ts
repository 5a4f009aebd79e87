import { count } from "../domain/count.ts";
import { parsePlants } from "../stores/files/plants_file.ts";
import { readFile } from "../stores/files/read_file.ts";
import { createFile, rewriteFile } from "../stores/files/rewrite_file.ts";
import { readUserRecords } from "../stores/files/tokens_file.ts";
import { type Command, defineCommand, print } from "./command.ts";
import { toPlantsFile, toTokensFile } from "./file_format.ts";
import { exists } from "./new_files.ts";
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
  help: "Replace the contents of the database with those of the files",
  options: OPTIONS,
  async run(line) {
    const { plants: path, tokens } = line.settings;
    await withDatabase(line, async ({ replace }) => {
      const plants = await parsePlants(path, await readFile(path));
      const users = await readUserRecords(tokens);
      await replace(plants, users);
      print(
        `replaced the contents of the database with ${path} (plants: ${plants.length}) and ${tokens} (users: ${users.size})`,
      );
      const lost = [...users.values()].filter(({ behavior }) => behavior);
      if (lost.length === 0) return;
      const who = count(lost.length, "user");
      print(
        `omitted the behavior (delay and fail) of ${who}, because a database cannot store it`,
      );
    });
  },
});

/** `export`: writes the contents of the database to the files. */
export const exportCommand: Command = defineCommand({
  help: "Write the contents of the database to the files",
  options: OPTIONS,
  async run(line) {
    const { plants: path, tokens } = line.settings;
    const { plants, users } = await withDatabase(
      line,
      ({ readAll }) => readAll(),
    );
    await replaceFile(path, toPlantsFile(plants));
    print(`wrote ${path} (plants: ${plants.length})`);
    await replaceFile(tokens, toTokensFile(users));
    print(`wrote ${tokens} (users: ${users.size})`);
  },
});

async function replaceFile(path: string, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  if (await exists(path)) await rewriteFile(path, () => Promise.resolve(bytes));
  else await createFile(path, bytes);
}
