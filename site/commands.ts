import { parseArgs } from "node:util";
import { parse } from "shell-quote";
import type { Command, CurlRequest } from "./elements/run.ts";

// Parses the console blocks of the documents when the site is built, so that pages
// need no parser.

/** A command and its output. */
export const COMMAND = /^\$ ((?:.*\\\n)*.*)\n([^]*?)(?=^\$ |(?![^]))/gm;

/** Headers that browsers set (Fetch standard, forbidden request-header). */
const FORBIDDEN =
  /^(?:access-control-request-\w+|connection|content-length|cookie|date|expect|host|keep-alive|origin|referer|te|trailer|transfer-encoding|upgrade|via|(?:proxy|sec)-.*)$/i;

/** The options of curl, and why a page cannot do the same. */
const OPTIONS = {
  head: { type: "boolean", short: "I" },
  header: { type: "string", short: "H", multiple: true },
  include: { type: "boolean", short: "i" },
  output: { type: "string", short: "o" },
  request: { type: "string", short: "X" },
  silent: { type: "boolean", short: "s" },
  "write-out": { type: "string", short: "w" },
  "etag-compare": { type: "string", why: "curl reads the ETag from a file" },
  "etag-save": { type: "string", why: "curl saves the ETag to a file" },
  "max-time": { type: "string", why: "curl stops waiting for the response" },
} as const;

/**
 * Returns the curl commands of a console block.
 *
 * @param text The text of the block.
 * @param unavailable Why the page cannot reach the server, or undefined if it can.
 * @throws {Error} If a command is neither a request nor has a reason.
 */
export function parseBlock(
  text: string,
  unavailable: string | undefined,
): readonly Command[] {
  const commands = text.replaceAll("\r\n", "\n").matchAll(COMMAND);
  return Array.from(commands, ([, line = "", shown = ""]) => {
    const request = parseCurl(line);
    return { line, shown, request: unavailable ?? request };
  }).filter(({ line }) => /\bcurl\b/.test(line));
}

function parseCurl(line: string): CurlRequest | string {
  const words = parse(line.replaceAll("\\\n", ""), (name) => ({ name }));
  const args = words.filter((word) => typeof word === "string");
  const isPlain = args.length === words.length && !line.includes("`");
  if (!isPlain || args.shift() !== "curl") {
    return "it needs a shell and other programs";
  }
  const { values, positionals: [url = "", ...others] } = parseArgs({
    args,
    options: OPTIONS,
    allowPositionals: true,
  });
  for (const [name, option] of Object.entries(OPTIONS)) {
    if ("why" in option && Object.hasOwn(values, name)) return option.why;
  }
  const { head = false, header = [], output, "write-out": status } = values;
  const headers = header.map((line) => {
    const [name = "", value = ""] = line.split(/: ?(.*)/);
    return [name, value] as [string, string];
  });
  const forbidden = headers.find(([name]) => FORBIDDEN.test(name));
  if (forbidden) return `browsers don't let pages set ${forbidden[0]}`;
  const method = values.request ?? (head ? "HEAD" : "GET");
  if (!/^(?!(?:CONNECT|TRACE|TRACK)$)[A-Z]+$/.test(method)) {
    return "browsers don't send this method";
  }
  const [, target] = /^http:\/\/127\.0\.0\.1:8000(\/.*)$/.exec(url) ?? [];
  const isKnown = others.length === 0 && target !== undefined &&
    header.every((line) => line.includes(":")) &&
    (output ?? "/dev/null") === "/dev/null" &&
    (status ?? "%{http_code}\\n") === "%{http_code}\\n";
  if (!isKnown) throw new Error(`the site cannot run "${line}"`);
  return {
    method,
    target,
    headers,
    prints: {
      head: head || values.include === true,
      body: !head && output === undefined,
      status: status !== undefined,
    },
  };
}
