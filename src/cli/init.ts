import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import plants from "../../data/plants.json" with { type: "json" };
import plantsSchema from "../../data/plants.schema.json" with { type: "json" };
import tokensSchema from "../../data/tokens.schema.json" with { type: "json" };
import type { Plant } from "../domain/plant.ts";
import { type Command, defineCommand } from "./command.ts";
import { createRecord, createToken } from "./token.ts";

/** `init [DIR]`: writes files to start from, and prints the token of the user in them. */
export const initCommand: Command = defineCommand({
  operands: ["[DIR]"],
  options: {},
  async run({ operands: [folder = "data"] }) {
    const token = createToken();
    const users = {
      $schema: "./tokens.schema.json",
      curator: { plants: "all", tokens: [createRecord(token)] },
    };
    const lines = plants.map((plant: Plant) => `  ${toLine(plant)}`).join(
      ",\n",
    );
    const files = new Map([
      ["plants.json", `[\n${lines}\n]\n`],
      ["plants.schema.json", toText(plantsSchema)],
      ["tokens.schema.json", toText(tokensSchema)],
      ["tokens.json", toText(users)],
    ]);
    for (const name of files.keys()) {
      const path = join(folder, name);
      if (!existsSync(path)) continue;
      throw new Error(`${path} is there already: nothing was written`);
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

function toText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A plant in one line, with spaces inside of the braces. */
function toLine(plant: Plant): string {
  const members = Object.entries(plant).map(([key, text]) =>
    `${JSON.stringify(key)}: ${JSON.stringify(text)}`
  );
  return `{ ${members.join(", ")} }`;
}
