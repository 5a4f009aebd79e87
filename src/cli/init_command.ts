import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import plantsSchema from "../../data/plants.schema.json" with { type: "json" };
import tokensSchema from "../../data/tokens.schema.json" with { type: "json" };
import { quoteForShell } from "../shared/shell.ts";
import { PROGRAM } from "./invocation.ts";
import { type Command, defineCommand } from "./command.ts";
import { toJsonFile, toPlantsFile, writeNewFiles } from "./new_files.ts";
import { print } from "./output.ts";
import { SAMPLES } from "./describe_problems.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";
import { createToken } from "./token_command.ts";

/** The README.md that `init` creates. */
const README = `# Plants and users

\`plants.json\` contains the plants. \`tokens.json\` contains the users, the plants
that each user can see, and their tokens. The server reloads both files when they
change. To add a user, add a line before the other users:

\`\`\`json
"alice": { "plants": "all", "tokens": ["wonderland"] },
\`\`\`

Anyone who can read the file can use the tokens in it. For tokens that matter, store
a digest instead, as for the user \`curator\`. This command creates a random token and
prints its digest:

\`\`\`sh
${PROGRAM} token
\`\`\`

The public demo tokens, such as \`demo-curator\`, are not valid here.
`;

/** `init [DIR]`: creates plants and tokens files, and prints a token. */
export const initCommand: Command = defineCommand({
  help:
    "Create plants and tokens files in DIR (default: data), and print a token",
  positional: "[DIR]",
  options: {},
  async run({ env }, folder = "data") {
    const options = (["plants", "tokens"] as const).map((name) => {
      const { env: variable, default: usual } = SERVE_OPTIONS[name];
      const path = join(folder, `${name}.json`);
      const isServed = path === join(env[variable] || usual);
      // Shells on Windows also accept slashes.
      const shown = quoteForShell(path.replaceAll(sep, "/"));
      return isServed ? "" : ` --${name} ${shown}`;
    }).join("");
    // A mistake in a clone must not break other commands.
    const { default: plants } = await import("../../data/plants.json", {
      with: { type: "json" },
    });
    const { token, record } = createToken();
    const files = {
      "plants.json": toPlantsFile(plants),
      "tokens.json": toJsonFile({
        $schema: "./tokens.schema.json",
        curator: { plants: "all", tokens: [record] },
      }),
      "plants.schema.json": toJsonFile(plantsSchema),
      "tokens.schema.json": toJsonFile(tokensSchema),
      "README.md": README,
    };
    const existing = await readdir(folder).catch((): string[] => []);
    const missing = Object.entries(files)
      .filter(([name]) => !existing.includes(name));
    const created = SAMPLES.filter((name) => !existing.includes(name));
    if (created.length === 0) {
      throw new Error(
        `both files in "${folder}" already exist; choose another folder`,
      );
    }
    await writeNewFiles(folder, Object.fromEntries(missing));
    const paths = created.map((name) => join(folder, name)).join(" and ");
    print(`created ${paths}; to start the server, run: ${PROGRAM}${options}`);
    if (!created.includes("tokens.json")) return;
    print(
      `token for curator (shown only once; to create another, run: ${PROGRAM} token):`,
    );
    console.log(token);
  },
});
