import { lstat, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import plants from "../../data/plants.json" with { type: "json" };
import plantsSchema from "../../data/plants.schema.json" with { type: "json" };
import tokensSchema from "../../data/tokens.schema.json" with { type: "json" };
import type { UserRecord } from "../domain/user.ts";
import { explain } from "../stores/read_file.ts";
import { createFile } from "../stores/rewrite_file.ts";
import { type Command, defineCommand, print } from "./command.ts";
import { toJsonFile, toPlantsFile, toTokensFile } from "./file_format.ts";
import { README } from "./init_readme.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";
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
    const files = new Map([
      [plantsPath, toPlantsFile(plants)],
      [join(folder, "plants.schema.json"), toJsonFile(plantsSchema)],
      [join(folder, "tokens.schema.json"), toJsonFile(tokensSchema)],
      [tokensPath, toTokensFile(users)],
    ]);
    for (const path of files.keys()) {
      if (!await exists(path)) continue;
      throw new Error(`"${path}" already exists; nothing written`);
    }
    // The folder can belong to a project, which has a README.md.
    const readmePath = join(folder, "README.md");
    if (!await exists(readmePath)) files.set(readmePath, README);
    await mkdir(folder, { recursive: true }).catch((error: Error) => {
      throw new Error(`cannot create "${folder}": ${explain(error)}`);
    });
    const created: string[] = [];
    try {
      for (const [path, text] of files) {
        await createFile(path, new TextEncoder().encode(text));
        created.push(path);
      }
    } catch (error) {
      for (const path of created) await rm(path);
      throw error;
    }

    const isDefault = plantsPath === SERVE_OPTIONS.plants.default;
    const tokensOption = isDefault ? "" : ` --tokens ${tokensPath}`;
    const options = isDefault ? "" : ` --plants ${plantsPath}${tokensOption}`;
    print(
      `created ${plantsPath} and ${tokensPath}; to serve them, run "plant-store${options}"`,
    );
    print(
      `this token for curator is shown only once; to create another, run "plant-store token add curator${tokensOption}"`,
    );
    console.log(token);
    return 0;
  },
});

/** Whether anything exists at `path`, such as a dangling symbolic link. */
async function exists(path: string): Promise<boolean> {
  return await lstat(path).catch(() => undefined) !== undefined;
}
