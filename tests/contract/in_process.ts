import {
  createHandlerSender,
  type FetchHandler,
} from "../../src/verify/send_to_handler.ts";
import type { Service } from "./suite.ts";

/** Opens a handler, or a replacement for `fetch`, as a service. */
export function openHandler(
  handler: FetchHandler,
  close: () => Promise<void> = () => Promise.resolve(),
): Service {
  const send = createHandlerSender(handler);
  return {
    isHandler: true,
    send: (request) => send(request, new AbortController().signal),
    close,
  };
}
