import { readFile } from "node:fs/promises";
import { writeHelp } from "../src/cli/help.ts";

/** A command that prints the help for another one, and its output. */
const HELP =
  /(?<=```console\n\$ npm run -s plant-store -- (\w+) --help\n)[^]*?(?=```)/;

/** Returns a document with the current help for a command. */
export async function fillHelp(path: string): Promise<string> {
  const text = await readFile(path, "utf8");
  const [, command = ""] = HELP.exec(text)!;
  const help = await writeHelp([command]);
  return text.replace(HELP, () => `${help}\n`);
}
