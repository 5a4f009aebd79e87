import { join } from "node:path";
import plants from "../../data/plants.json" with { type: "json" };
import plantsSchema from "../../data/plants.schema.json" with { type: "json" };
import tokensSchema from "../../data/tokens.schema.json" with { type: "json" };
import { PROGRAM, quoteArgument } from "./program.ts";
import { type Command, defineCommand, print } from "./command.ts";
import { toJsonFile, toPlantsFile, toTokensFile } from "./file_format.ts";
import { exists, writeNewFiles } from "./new_files.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";
import { createToken } from "./token.ts";

/** The README.md that `init` creates. It contains no tokens except the demo tokens. */
const README = `# Plants and users

\`plants.json\` contains the plants. \`tokens.json\` contains the users, the plants
that each user can see, and their tokens. The server reloads both files when they
change. To add a user, add a line such as:

\`\`\`json
"alice": { "plants": { "tags": ["fern"] }, "tokens": ["a-token-for-alice"] }
\`\`\`

The file contains only the SHA-256 digest of the token for \`curator\`, which was
printed once, so the file does not reveal it. To create another, run:

\`\`\`sh
${PROGRAM} token
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
    const users = { curator: { plants: "all", tokens: [record] } } as const;
    const plantsPath = join(folder, "plants.json");
    const tokensPath = join(folder, "tokens.json");
    const isDefault = plantsPath === SERVE_OPTIONS.plants.default &&
      !env["PLANTS_FILE"] && !env["TOKENS_FILE"];
    const toOption = (name: string, path: string) =>
      isDefault ? "" : ` --${name} ${quoteArgument(path, "FILE")}`;
    const options = toOption("plants", plantsPath) +
      toOption("tokens", tokensPath);

    const hasReadme = await exists(join(folder, "README.md"));
    await writeNewFiles(folder, {
      "plants.json": toPlantsFile(plants),
      "tokens.json": toTokensFile(users),
      "plants.schema.json": toJsonFile(plantsSchema),
      "tokens.schema.json": toJsonFile(tokensSchema),
      // The folder can belong to a project, which has a README.md.
      ...!hasReadme && { "README.md": README },
    });
    print(
      `created ${plantsPath} and ${tokensPath}; to serve them, run: ${PROGRAM}${options}`,
    );
    print(
      `this token for curator is shown only once; to create another, run: ${PROGRAM} token`,
    );
    console.log(token);
  },
});
