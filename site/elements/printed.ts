// Compares the output of a command with the output in a document. The tests of the
// documents use it, too, so that both have the same rules.

/** Headers that differ between runs or runtimes. */
const VARYING = /^(?:date|connection|keep-alive|x-request-id):/i;

/**
 * Returns the differences between an output and the one in a document: lines that
 * are missing, after `- `, and lines that are not in the document, after `+ `.
 *
 * In the document, `...` matches any text within a line or, on its own line, any
 * lines. The order and the letter case of headers have no meaning.
 */
export function diff(output: string, shown: string): readonly string[] {
  if (matches(output, shown)) return [];
  const added = normalize(output).split("\n");
  const missing = normalize(shown).split("\n").filter((line) => {
    const pattern = new RegExp(`^${toPattern(line)}$`);
    const index = added.findIndex((each) => pattern.test(each));
    if (index >= 0) added.splice(index, 1);
    return index < 0;
  });
  const lines = [
    ...missing.map((line) => `- ${line}`),
    ...added.map((line) => `+ ${line}`),
  ];
  return lines.length > 0 ? lines : ["the lines are in a different order"];
}

/** Whether an output is the one in a document. */
export function matches(output: string, shown: string): boolean {
  const patterns = normalize(shown).split("\n").map(toPattern);
  return new RegExp(`^${patterns.join("\n")}$`).test(normalize(output));
}

function toPattern(line: string): string {
  const escaped = line.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return line === "..." ? "[^]*" : escaped.replaceAll("\\.\\.\\.", ".*");
}

/** Sorts the headers of an HTTP response and puts their names in lower case. */
function normalize(text: string): string {
  const lines = text.replaceAll("\r", "").trim();
  const response = /^(HTTP\/.*)\n((?:[\w-]+:.*\n?)*)([^]*)$/.exec(lines);
  if (response === null) return lines;
  const [, start, headers, body] = response;
  const kept = headers!.trim().split("\n")
    .filter((header) => !VARYING.test(header))
    .map((header) => header.replace(/^[^:]+/, (name) => name.toLowerCase()))
    .sort();
  return [start!.trim(), ...kept, "", body!.trim()].join("\n");
}
