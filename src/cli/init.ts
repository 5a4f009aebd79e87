import { lstat, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import plants from "../../data/plants.json" with { type: "json" };
import plantsSchema from "../../data/plants.schema.json" with { type: "json" };
import tokensSchema from "../../data/tokens.schema.json" with { type: "json" };
import type { UserRecord } from "../domain/user.ts";
import { toPlantsFile, toText, toTokensFile } from "./canonical.ts";
import { type Command, defineCommand } from "./command.ts";
import { createRecord, createToken } from "./token.ts";

/** `init [DIR]`: writes files to start from, and prints the token of the user in them. */
export const initCommand: Command = defineCommand({
  operands: ["[DIR]"],
  options: {},
  async run({ operands: [folder = "data"] }) {
    const token = createToken();
    const users = new Map<string, UserRecord>([
      ["curator", { plants: "all", tokens: [createRecord(token)] }],
    ]);
    const files = new Map([
      ["plants.json", toPlantsFile(plants)],
      ["plants.schema.json", toText(plantsSchema)],
      ["tokens.schema.json", toText(tokensSchema)],
      ["tokens.json", toTokensFile(users)],
    ]);
    for (const name of files.keys()) {
      const path = join(folder, name);
      // A symbolic link that leads nowhere exists, too.
      if (!await lstat(path).catch(() => undefined)) continue;
      throw new Error(`"${path}" already exists; nothing written`);
    }
    await mkdir(folder, { recursive: true }).catch((error) => {
      if (error.code !== "EEXIST" && error.code !== "ENOTDIR") throw error;
      throw new Error(`${folder} is not a folder`);
    });
    for (const [name, text] of files) {
      await writeFile(join(folder, name), text, { flag: "wx" });
    }
    console.error(
      `plant-store: ${folder} has plants.json and tokens.json; the token of curator, this once:`,
    );
    console.log(token);
    return 0;
  },
});
