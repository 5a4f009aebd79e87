import { join } from "node:path";
import plants from "../../data/plants.json" with { type: "json" };
import plantsSchema from "../../data/plants.schema.json" with { type: "json" };
import tokensSchema from "../../data/tokens.schema.json" with { type: "json" };
import { PROGRAM, quoteArgument } from "../stores/catalog/program.ts";
import { type Command, defineCommand, print } from "./command.ts";
import { toJsonFile, toPlantsFile, toTokensFile } from "./file_format.ts";
import { README } from "./init_readme.ts";
import { exists, writeNewFiles } from "./new_files.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";
import { createToken } from "./token.ts";

/** `init [DIR]`: creates sample files and prints a token. */
export const initCommand: Command = defineCommand({
  help: "Create sample files in DIR (default: data) and print a token",
  operands: ["[DIR]"],
  options: {},
  async run({ env }, folder = "data") {
    const { token, record } = createToken();
    const users = new Map([
      ["curator", { plants: "all", tokens: [record] }] as const,
    ]);
    const readme = await exists(join(folder, "README.md"));
    const [plantsPath, tokensPath] = await writeNewFiles(folder, {
      "plants.json": toPlantsFile(plants),
      "tokens.json": toTokensFile(users),
      "plants.schema.json": toJsonFile(plantsSchema),
      "tokens.schema.json": toJsonFile(tokensSchema),
      // The folder can belong to a project, which has a README.md.
      ...!readme && { "README.md": README },
    });

    const isDefault = plantsPath === SERVE_OPTIONS.plants.default &&
      !env["PLANTS_FILE"] && !env["TOKENS_FILE"] && !env["DATABASE_URL"];
    const toOption = (name: string, path = "") =>
      isDefault ? "" : ` --${name} ${quoteArgument(path, "FILE")}`;
    const tokensOption = toOption("tokens", tokensPath);
    const options = toOption("plants", plantsPath) + tokensOption;
    print(
      `created ${plantsPath} and ${tokensPath}; to serve them, run: ${PROGRAM}${options}`,
    );
    print(
      `this token for curator is shown only once; to create another, run: ${PROGRAM} token add curator${tokensOption}`,
    );
    console.log(token);
  },
});
