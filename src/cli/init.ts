import { join } from "node:path";
import plants from "../../data/plants.json" with { type: "json" };
import plantsSchema from "../../data/plants.schema.json" with { type: "json" };
import tokensSchema from "../../data/tokens.schema.json" with { type: "json" };
import { PROGRAM, quoteArgument } from "../stores/catalog/program.ts";
import { type Command, defineCommand, print } from "./command.ts";
import { toJsonFile, toPlantsFile, toTokensFile } from "./file_format.ts";
import { exists, writeNewFiles } from "./new_files.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";
import { createToken } from "./token.ts";

/**
 * Writes the README.md that `init` creates. It contains no tokens except the demo tokens.
 *
 * @param options The options of the suggested commands.
 */
const writeReadme = (options: string) =>
  `# Plants and users

\`plants.json\` contains the plants. \`tokens.json\` contains the users, the plants
that each user can see, and the SHA-256 digests of their tokens. The server reloads
both files when they change.

The token for \`curator\` was printed once and is not stored. To create a token for
USER, or to list the ID of each token (the first 8 digits of its digest), run:

\`\`\`sh
${PROGRAM} token add USER${options}
${PROGRAM} token list${options}
\`\`\`

The demo tokens are not valid here. They belong to users in the built-in demo data:

| Demo token         | User        |
| ------------------ | ----------- |
| \`demo-curator\`     | curator     |
| \`demo-florist\`     | florist     |
| \`demo-expired\`     | florist     |
| \`demo-visitor\`     | visitor     |
| \`demo-slow\`        | slow        |
| \`demo-flaky\`       | flaky       |
| \`demo-unavailable\` | unavailable |
`;

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
    const plantsPath = join(folder, "plants.json");
    const tokensPath = join(folder, "tokens.json");
    const isDefault = plantsPath === SERVE_OPTIONS.plants.default &&
      !env["PLANTS_FILE"] && !env["TOKENS_FILE"] && !env["DATABASE_URL"];
    const toOption = (name: string, path: string) =>
      isDefault ? "" : ` --${name} ${quoteArgument(path, "FILE")}`;
    const tokensOption = toOption("tokens", tokensPath);
    const options = toOption("plants", plantsPath) + tokensOption;

    const hasReadme = await exists(join(folder, "README.md"));
    await writeNewFiles(folder, {
      "plants.json": toPlantsFile(plants),
      "tokens.json": toTokensFile(users),
      "plants.schema.json": toJsonFile(plantsSchema),
      "tokens.schema.json": toJsonFile(tokensSchema),
      // The folder can belong to a project, which has a README.md.
      ...!hasReadme && { "README.md": writeReadme(tokensOption) },
    });
    print(
      `created ${plantsPath} and ${tokensPath}; to serve them, run: ${PROGRAM}${options}`,
    );
    print(
      `this token for curator is shown only once; to create another, run: ${PROGRAM} token add curator${tokensOption}`,
    );
    console.log(token);
  },
});
