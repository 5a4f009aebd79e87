import { createHandler } from "../../mod.ts";
import type { CaseRequest, CaseResponse, Setup } from "./cases.ts";
import { openStore, OPTIONS } from "./setups.ts";
import type { Service } from "./suite.ts";

/** A handler, or what replaces `fetch`. */
type Respond = (request: Request) => Promise<Response>;

/** The name of a service that is called without a server. */
export const IN_PROCESS = "the handler in process";

/** The handler of a set-up, reached without a server. */
export function openInProcess(setup: Setup): Service {
  return openHandler(createHandler(openStore(setup), OPTIONS[setup]));
}

/** A handler, reached without a server. */
export function openHandler(
  handler: Respond,
  close: () => Promise<void> = () => Promise.resolve(),
): Service {
  return {
    send: (request) => sendTo(handler, request),
    close,
  };
}

/** Hands a case's request to a handler. */
export async function sendTo(
  handler: Respond,
  { method = "GET", target = "/plants", headers = [] }: CaseRequest,
): Promise<CaseResponse> {
  // The URL has the host of the request, as servers build it.
  const [, host = ""] = headers.find(([name]) => name === "Host") ?? [];
  const authority = /^[\w.-]+(?::\d+)?$/.test(host) ? host : "localhost";
  const url = /^https?:/.test(target)
    ? target
    : `http://${authority}${target === "*" ? "/*" : target}`;
  const request = new Request(url, { method });
  // One by one, as a server does: Deno's constructor drops empty fields.
  for (const [name, value] of headers) request.headers.append(name, value);
  const response = await handler(request);
  return {
    status: response.status,
    headers: response.headers,
    body: await response.text(),
  };
}
