import { createHandler } from "../../mod.ts";
import type { CaseRequest, CaseResponse, Setup } from "./cases.ts";
import { openStore, OPTIONS } from "./setups.ts";
import type { Service } from "./suite.ts";

/** A handler, or a replacement for `fetch`. */
type Respond = (request: Request) => Promise<Response>;

/** The name of the service without a server. */
export const IN_PROCESS = "the handler in process";

/** Opens the handler of a setup. */
export function openInProcess(setup: Setup): Service {
  return openHandler(createHandler(openStore(setup), OPTIONS[setup]));
}

/** Opens a handler as a service. */
export function openHandler(
  handler: Respond,
  close: () => Promise<void> = () => Promise.resolve(),
): Service {
  return { send: (request) => sendTo(handler, request), close };
}

/** Sends the request of a case to a handler. */
export async function sendTo(
  handler: Respond,
  { method = "GET", target = "/plants", headers = [] }: CaseRequest,
): Promise<CaseResponse> {
  // Like the servers, uses the Host in the URL.
  const [, host = ""] = headers.find(([name]) => name === "Host") ?? [];
  const authority = /^[\w.-]+(?::\d+)?$/.test(host) ? host : "localhost";
  const url = /^https?:/.test(target)
    ? target
    : `http://${authority}${target === "*" ? "/*" : target}`;
  const request = new Request(url, { method });
  // Deno's constructor would drop empty headers.
  for (const [name, value] of headers) request.headers.append(name, value);
  const response = await handler(request);
  return {
    status: response.status,
    headers: response.headers,
    body: await response.text(),
  };
}
