import { StoreFiles } from "../stores/files/store_files.ts";
import { type Command, defineCommand } from "./command.ts";
import { printProblems } from "./describe_problems.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";

/** `check`: prints a summary of each file, or its problems. */
export const checkCommand: Command = defineCommand({
  help: "Validate the plants and tokens files",
  options: { plants: SERVE_OPTIONS.plants, tokens: SERVE_OPTIONS.tokens },
  async run({ settings, env }) {
    const { changes } = await new StoreFiles(settings).load();
    for (const change of changes) {
      if ("summary" in change) console.log(`${change.path}: ${change.summary}`);
      else printProblems(change, env);
    }
    return changes.some((change) => "problems" in change) ? 1 : 0;
  },
});
