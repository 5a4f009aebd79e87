import { createHandler } from "../../mod.ts";
import { FAILING, openMemory, OPTIONS } from "./stores.ts";
import { testContract } from "./suite.ts";

testContract("the handler in process", (setup) => {
  const handler = createHandler(FAILING[setup] ?? openMemory(), OPTIONS[setup]);
  return Promise.resolve({
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
    close: () => Promise.resolve(),
  });
});
