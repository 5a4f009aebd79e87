import { join } from "node:path";
import plants from "../../data/plants.json" with { type: "json" };
import plantsSchema from "../../data/plants.schema.json" with { type: "json" };
import tokensSchema from "../../data/tokens.schema.json" with { type: "json" };
import type { UserRecord } from "../stores/catalog/user.ts";
import { PROGRAM } from "../stores/catalog/program.ts";
import { type Command, defineCommand, print } from "./command.ts";
import { toJsonFile, toPlantsFile, toTokensFile } from "./file_format.ts";
import { README } from "./init_readme.ts";
import { writeNewFiles } from "./new_files.ts";
import { toOption } from "./serve_options.ts";
import { createRecord, createToken } from "./token.ts";

/** `init [DIR]`: creates sample files and prints a token. */
export const initCommand: Command = defineCommand({
  operands: ["[DIR]"],
  options: {},
  async run({ operands: [folder = "data"] }) {
    const token = createToken();
    const users = new Map<string, UserRecord>([
      ["curator", { plants: "all", tokens: [createRecord(token)] }],
    ]);
    const plantsPath = join(folder, "plants.json");
    const tokensPath = join(folder, "tokens.json");
    await writeNewFiles(folder, {
      "plants.json": toPlantsFile(plants),
      "plants.schema.json": toJsonFile(plantsSchema),
      "tokens.schema.json": toJsonFile(tokensSchema),
      "tokens.json": toTokensFile(users),
    }, {
      // The folder can belong to a project, which has a README.md.
      "README.md": README,
    });

    const tokensOption = toOption("tokens", tokensPath);
    const options = toOption("plants", plantsPath) + tokensOption;
    print(
      `created ${plantsPath} and ${tokensPath}; to serve them, run: ${PROGRAM}${options}`,
    );
    print(
      `this token for curator is shown only once; to create another, run: ${PROGRAM} token add curator${tokensOption}`,
    );
    console.log(token);
    return 0;
  },
});
