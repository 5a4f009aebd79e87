import { StoreFileError } from "../stores/files/file_error.ts";
import {
  createPlantsSource,
  createTokensSource,
} from "../stores/files/file_source.ts";
import { readFiles } from "../stores/files/read_file.ts";
import { type Command, defineCommand } from "./command.ts";
import { reportError } from "./problems.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";

/** `check`: prints a summary of each file, or its problems. */
export const checkCommand: Command = defineCommand({
  help: "Validate the plants and tokens files",
  options: { plants: SERVE_OPTIONS.plants, tokens: SERVE_OPTIONS.tokens },
  async run({ settings }) {
    const sources = [
      createPlantsSource(settings.plants),
      createTokensSource(settings.tokens),
    ];
    const contents = await readFiles(sources);
    let status = 0;
    for (const [index, source] of sources.entries()) {
      const change = (await source.load(contents[index]!))!;
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
