import { StoreFileError } from "../stores/files/file_error.ts";
import {
  createPlantsSource,
  createTokensSource,
} from "../stores/files/file_source.ts";
import { readFiles } from "../stores/files/read_file.ts";
import { findWarnings } from "../stores/files/warnings.ts";
import { type Command, defineCommand } from "./command.ts";
import { reportError, toLines } from "./problems.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";

/** `check`: prints a summary of each file, or its problems. */
export const checkCommand: Command = defineCommand({
  help: "Validate the plants and tokens files",
  options: { plants: SERVE_OPTIONS.plants, tokens: SERVE_OPTIONS.tokens },
  async run({ settings }) {
    const plants = createPlantsSource(settings.plants);
    const tokens = createTokensSource(settings.tokens);
    const sources = [plants, tokens];
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
    const warning = plants.value && tokens.value &&
      findWarnings(
        tokens.path,
        contents[1] as Uint8Array,
        plants.value,
        tokens.value,
      );
    if (warning) toLines(warning).forEach((line) => console.error(line));
    return status;
  },
});
