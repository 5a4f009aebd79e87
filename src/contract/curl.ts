import type { CaseRequest } from "./cases.ts";

/**
 * Returns a curl command that sends requests, one after another on the same
 * connection.
 *
 * @param origin The origin of the server.
 */
export function toCurl(
  origin: string,
  requests: readonly CaseRequest[],
): string {
  const all = requests.map((request) => toOptions(origin, request).join(" "));
  const piped = requests.find(({ content = "" }) => /\p{Cc}/u.test(content));
  const input = piped ? `printf ${toFormat(piped.content!)} | ` : "";
  return `${input}curl -i ${all.join(" --next -i ")}`;
}

function toOptions(origin: string, request: CaseRequest): readonly string[] {
  const { method = "GET", target = "/plants", headers = [], content } = request;
  const isPath = target.startsWith("/");
  const isPlain = method === "GET" && content === undefined;
  const has = (name: string) => headers.some(([each]) => each === name);
  // curl computes Content-Length, and would send it twice.
  const lines = headers.filter(([name]) => name !== "Content-Length")
    .map(([name, value]) => value === "" ? `${name};` : `${name}: ${value}`);
  // curl would send only the first Host.
  const hosts = lines.filter((line) => /^Host\b/.test(line)).join("\r\n");
  const others = lines.filter((line) => !/^Host\b/.test(line));
  return [
    method === "HEAD" ? "-I" : isPlain ? "" : `-X ${method}`,
    /[[\]{}]/.test(target) ? "-g" : "",
    /\/(?:\.|%2e)/i.test(target) ? "--path-as-is" : "",
    isPath ? "" : `--request-target ${quote(target)}`,
    request.withoutHost ? '-H "Host:"' : "",
    ...[hosts, ...others].filter((line) => line !== "")
      .map((line) => `-H ${quote(line)}`),
    // Otherwise, curl adds one.
    content === undefined || has("Content-Type") ? "" : '-H "Content-Type:"',
    content === undefined
      ? ""
      : `--data-binary ${/\p{Cc}/u.test(content) ? "@-" : quote(content)}`,
    quote(origin + (isPath ? target : "")),
  ].filter((option) => option !== "");
}

/** Returns the format with which `printf` prints a text. */
function toFormat(text: string): string {
  const escaped = text.replaceAll("%", "%%").replaceAll("\t", "\\t")
    .replaceAll("\r", "\\r").replaceAll("\n", "\\n");
  return `'${escaped}'`;
}

/** Quotes a word for a POSIX shell. */
function quote(word: string): string {
  if (/\p{Cc}/u.test(word)) return `"$(printf ${toFormat(word)})"`;
  // `printf` creates long runs of a character.
  return word.split(/((.)\2{99,})/).map((part, index) => {
    if (index % 3 === 2 || part === "") return "";
    if (index % 3 === 1) {
      return `"$(printf %${part.length}s | tr ' ' '${part[0]}')"`;
    }
    const escaped = part.replaceAll("'", "'\\''");
    return /["$`\\!]/.test(part) ? `'${escaped}'` : `"${part}"`;
  }).join("");
}
