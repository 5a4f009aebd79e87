import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { rewriteFile } from "../stores/rewrite_file.ts";
import { toPlantsFile, toTokensFile } from "./canonical.ts";
import { type Command, defineCommand } from "./command.ts";
import { requireDatabase } from "./database.ts";
import { DATABASE_URL, PLANTS, TOKENS } from "./options.ts";

/** `export`: writes what a database holds into the files. */
export const exportCommand: Command = defineCommand({
  options: { "database-url": DATABASE_URL, plants: PLANTS, tokens: TOKENS },
  async run({ settings }) {
    await requireDatabase(settings["database-url"], async ({ readAll }) => {
      const { plants, users } = await readAll();
      const parsed = plants.map((plant) => JSON.parse(plant));
      await put(settings.plants!, toPlantsFile(parsed));
      await put(settings.tokens!, toTokensFile(users));
      console.log(`plants: ${plants.length}, users: ${users.size}`);
    });
    return 0;
  },
});

/** Writes a file, in the place of the one that is there. */
async function put(path: string, text: string): Promise<void> {
  if (!existsSync(path)) return await writeFile(path, text, { flag: "wx" });
  const bytes = new TextEncoder().encode(text);
  await rewriteFile(path, () => Promise.resolve(bytes));
}
