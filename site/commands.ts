import { parseArgs } from "node:util";
import type { Command } from "./elements/run.ts";

// Parses the console blocks of the documents when the site is built, so that pages
// need no parser.

/** A command and its output. */
export const COMMAND = /^\$ ((?:.*\\\n)*.*)\n([^]*?)(?=^\$ |(?![^]))/gm;

/** The options of curl that a page can follow. */
const OPTIONS = {
  header: { type: "string", short: "H", multiple: true },
  include: { type: "boolean", short: "i" },
  request: { type: "string", short: "X" },
} as const;

/** Returns the commands of a console block, or none if a page cannot run them all. */
export function parseBlock(text: string): readonly Command[] {
  const commands = text.replaceAll("\r\n", "\n").matchAll(COMMAND);
  try {
    return Array.from(commands, ([, line = "", shown = ""]) => (
      { ...parseCurl(line), shown }
    ));
  } catch {
    return [];
  }
}

/** @throws {TypeError} If a page cannot send the request of the command. */
function parseCurl(line: string): Omit<Command, "shown"> {
  const words = line.replaceAll("\\\n", "").matchAll(/"([^"]*)"|\S+/g);
  const [program, ...args] = Array.from(words, ([word, text]) => text ?? word);
  const { values, positionals } = parseArgs({
    args,
    options: OPTIONS,
    allowPositionals: true,
  });
  const { header = [], include = false, request: method = "GET" } = values;
  const command = `${program} ${positionals.join(" ")}`;
  const [, target] = /^curl http:\/\/127\.0\.0\.1:8000(\/\S*)$/.exec(command) ??
    [];
  if (target === undefined) throw new TypeError(`cannot send "${line}"`);
  const headers = header.map((line): [string, string] => {
    const [name = "", value = ""] = line.split(/: ?(.*)/);
    return [name, value];
  });
  return { method, target, headers, include };
}
