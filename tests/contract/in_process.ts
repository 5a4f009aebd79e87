import type { CaseRequest, CaseResponse } from "../../src/contract/cases.ts";
import {
  createHandlerSender,
  type Handler,
} from "../../src/contract/send_to_handler.ts";
import type { Service } from "./suite.ts";

/** Opens a handler as a service. */
export function openHandler(
  handler: Handler,
  close: () => Promise<void> = () => Promise.resolve(),
): Service {
  return { send: (request) => sendTo(handler, request), close };
}

/** Sends the request of a case to a handler, or a replacement for `fetch`. */
export function sendTo(
  handler: Handler,
  request: CaseRequest,
): Promise<CaseResponse> {
  const send = createHandlerSender(handler);
  return send(request, new AbortController().signal);
}
