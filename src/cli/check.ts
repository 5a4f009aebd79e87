import { StoreFileError } from "../stores/files/file_error.ts";
import {
  createPlantsSource,
  createTokensSource,
} from "../stores/files/file_source.ts";
import { summarize } from "../stores/files/summarize.ts";
import { type Command, defineCommand } from "./command.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";
import { toLines } from "./problems.ts";

/** `check`: prints a summary of each file, or its problems. */
export const checkCommand: Command = defineCommand({
  options: { plants: SERVE_OPTIONS.plants, tokens: SERVE_OPTIONS.tokens },
  async run({ settings }) {
    let status = 0;
    for (
      const source of [
        createPlantsSource(settings.plants),
        createTokensSource(settings.tokens),
      ]
    ) {
      try {
        const content = await source.read();
        console.log(`${source.path}: ${summarize(content!)}`);
      } catch (error) {
        if (!(error instanceof StoreFileError)) throw error;
        for (const line of toLines(error, "plant-store: ")) console.error(line);
        status = 1;
      }
    }
    return status;
  },
});
