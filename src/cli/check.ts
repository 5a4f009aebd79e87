import { StoreFileError } from "../stores/files/file_error.ts";
import {
  createPlantsSource,
  createTokensSource,
} from "../stores/files/file_source.ts";
import { type Command, defineCommand } from "./command.ts";
import { reportError } from "./problems.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";

/** `check`: prints a summary of each file, or its problems. */
export const checkCommand: Command = defineCommand({
  help: "Validate the plants and tokens files",
  options: { plants: SERVE_OPTIONS.plants, tokens: SERVE_OPTIONS.tokens },
  async run({ settings }) {
    const plants = createPlantsSource(settings.plants);
    const tokens = createTokensSource(settings.tokens);
    let status = 0;
    for (const source of [plants, tokens]) {
      const change = (await source.read())!;
      if ("summary" in change) {
        console.log(`${change.path}: ${change.summary}`);
      } else {
        status = reportError(
          new StoreFileError(change.problems, change.omittedCount),
        );
      }
    }
    return status;
  },
});
