import type { CaseRequest } from "./case.ts";
import { quoteForShell, toPrintfFormat } from "../shared/shell.ts";

/**
 * Returns a curl command that sends requests, one after another on the same
 * connection.
 *
 * @param origin The origin of the server.
 */
export function toCurlCommand(
  origin: string,
  requests: readonly CaseRequest[],
): string {
  const all = requests.map((request) => toOptions(origin, request).join(" "));
  const piped = requests.find(({ content = "" }) => /\p{Cc}/u.test(content));
  const input = piped ? `printf ${toPrintfFormat(piped.content!)} | ` : "";
  return `${input}curl ${all.join(" --next ")}`;
}

function toOptions(origin: string, request: CaseRequest): readonly string[] {
  const { method, target, headers } = request;
  // curl cannot send a body with HEAD.
  const { content = "" } = method === "HEAD" ? {} : request;
  const isPath = /^\/[^#]*$/.test(target);
  const lines = headers
    .map(([name, value]) => value === "" ? `${name};` : `${name}: ${value}`);
  // curl would send only the first Host.
  const hosts = lines.filter((line) => /^Host/.test(line)).join("\r\n");
  // curl computes Content-Length, and would send it twice.
  const others = lines.filter((line) => !/^Host|^Content-Length/.test(line));
  const hasType = lines.some((line) => /^Content-Type/.test(line));
  const data = /\p{Cc}/u.test(content) ? "@-" : quoteForShell(content);
  return [
    method === "HEAD" ? "-I" : "-i",
    /^(?:GET|HEAD)$/.test(method) && content === "" ? "" : `-X ${method}`,
    /\/(?:\.|%2e)/i.test(target) ? "--path-as-is" : "",
    isPath ? "" : `--request-target ${quoteForShell(target)}`,
    request.withoutHost ? '-H "Host:"' : "",
    ...[hosts, ...others].map((line) => line && `-H ${quoteForShell(line)}`),
    content && !hasType ? '-H "Content-Type:"' : "", // curl would add one
    content && `--data-binary ${data}`,
    quoteForShell(origin + (isPath ? target : "")),
  ].filter((option) => option !== "");
}
