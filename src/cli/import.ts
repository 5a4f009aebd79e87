import { parsePlants } from "../stores/plants_file.ts";
import { readFile } from "../stores/read_file.ts";
import { readUserRecords } from "../stores/tokens_file.ts";
import { type Command, defineCommand } from "./command.ts";
import { requireDatabase } from "./database.ts";
import { DATABASE_URL, PLANTS, TOKENS } from "./options.ts";

/** `import`: puts what is in the files in the place of all that a database holds. */
export const importCommand: Command = defineCommand({
  options: { "database-url": DATABASE_URL, plants: PLANTS, tokens: TOKENS },
  async run({ settings }) {
    const path = settings.plants!;
    await requireDatabase(settings["database-url"], async ({ replace }) => {
      const plants = await parsePlants(path, await readFile(path));
      const users = await readUserRecords(settings.tokens!);
      await replace(plants, users);
      console.log(`plants: ${plants.size}, users: ${users.size}`);
    });
    return 0;
  },
});
