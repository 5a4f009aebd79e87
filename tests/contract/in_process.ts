import { createHandler, type Handler } from "../../mod.ts";
import type { Setup } from "./cases.ts";
import { FAILING, openMemory, OPTIONS } from "./stores.ts";
import type { Service } from "./suite.ts";

/** The handler of a set-up, reached without a server. */
export function openInProcess(setup: Setup): Service {
  return openHandler(
    createHandler(FAILING[setup] ?? openMemory(), OPTIONS[setup]),
  );
}

/** A handler, reached without a server. */
export function openHandler(
  handler: Handler,
  close: () => Promise<void> = () => Promise.resolve(),
): Service {
  return {
    async send({ method = "GET", target = "/plants", headers = [] }) {
      const url = /^https?:/.test(target)
        ? target
        : `http://localhost${target === "*" ? "/*" : target}`;
      const request = new Request(url, { method });
      // One by one, as a server does: Deno's constructor drops empty fields.
      for (const [name, value] of headers) request.headers.append(name, value);
      const response = await handler(request);
      return {
        status: response.status,
        headers: response.headers,
        body: await response.text(),
      };
    },
    close,
  };
}
