import { quoteForShell } from "../shared/shell.ts";
import type { CaseRequest } from "./case.ts";

/**
 * Returns a curl command that sends a request.
 *
 * @param origin The origin of the server.
 */
export function toCurlCommand(
  origin: string,
  { method, target, headers }: CaseRequest,
): string {
  const lines = headers
    .map(([name, value]) => value === "" ? `${name};` : `${name}: ${value}`);
  return [
    method === "HEAD" ? "curl -I" : "curl -i",
    /^(?:GET|HEAD)$/.test(method) ? "" : `-X ${method}`,
    target.includes("/..") ? "--path-as-is" : "",
    ...lines.map((line) => `-H ${quoteForShell(line)}`),
    quoteForShell(origin + target),
  ].filter((option) => option !== "").join(" ");
}
