import {
  type FileProblem,
  formatProblem,
  StoreFileError,
} from "../stores/read.ts";
import { createPlantsSource, createUsersSource } from "../stores/source.ts";
import { type Command, defineCommand } from "./command.ts";
import { PLANTS, TOKENS } from "./options.ts";
import { countMore } from "./problems.ts";

/** How many problems are listed; the rest is counted. */
const MAX_LISTED = 20;

/** `check`: lists what is wrong with the files, and ends with 1 if anything is. */
export const checkCommand: Command = defineCommand({
  options: { plants: PLANTS, tokens: TOKENS },
  async run({ settings }) {
    const problems: FileProblem[] = [];
    let more = 0;
    for (
      const source of [
        createPlantsSource(settings.plants!),
        createUsersSource(settings.tokens!),
      ]
    ) {
      try {
        const describe = await source.read();
        console.log(`${source.path}: ${(await describe!()).summary}`);
      } catch (error) {
        if (!(error instanceof StoreFileError)) throw error;
        problems.push(...error.problems);
        more += error.more;
      }
    }
    for (const problem of problems.slice(0, MAX_LISTED)) {
      console.error(formatProblem(problem));
    }
    more += Math.max(0, problems.length - MAX_LISTED);
    if (more > 0) console.error(`and ${countMore(more)}`);
    return problems.length === 0 ? 0 : 1;
  },
});
