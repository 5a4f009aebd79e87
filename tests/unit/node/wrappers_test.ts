import { Buffer } from "node:buffer";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createNodeListener } from "plant-store/node";
import { CASES } from "../../contract/all_cases.ts";
import { openMemory, OPTIONS } from "../../contract/setups.ts";
import { testContract } from "../../contract/suite.ts";
import { createSender } from "../../contract/wire.ts";

// Runs the contract behind code that changes, reads, or imitates a response in each way
// that middleware, caches, and mocks do.

/** Waits until a response is ended, and then sends what `getHeaders` returns and its body. */
function replay(response: ServerResponse): ServerResponse {
  const { writeHead, end } = response;
  const chunks: string[] = [];
  const write = (chunk?: Buffer | string) => {
    // A Uint8Array that is not a Buffer would become a list of numbers.
    if (chunk !== undefined) chunks.push(chunk.toString("latin1"));
    return true;
  };
  return Object.assign(response, {
    write,
    writeHead(status: number) {
      response.statusCode = status;
      return response;
    },
    end(chunk?: Buffer | string) {
      write(chunk);
      setImmediate(() => {
        writeHead.call(response, response.statusCode, response.getHeaders());
        end.call(response, Buffer.from(chunks.join(""), "latin1"), "latin1");
      });
      return response;
    },
  });
}

const WRAPPERS: Readonly<
  Record<string, (response: ServerResponse) => ServerResponse>
> = {
  "nothing": (response) => response,
  "objects only": (response) => {
    const { writeHead } = response;
    response.writeHead = (status: number, headers?: unknown) => {
      const all = Array.isArray(headers) ? {} : Object(headers);
      for (const name in all) response.setHeader(name, all[name]);
      return writeHead.call(response, status);
    };
    return response;
  },
  "the headers before they are sent": (response) => {
    const { writeHead } = response;
    response.writeHead = (status: number) =>
      writeHead.call(response, status, { ...response.getHeaders() });
    return response;
  },
  "a buffer": replay,
  "a mock": (response) => {
    const mock = {
      statusCode: 200,
      headersSent: false,
      getHeader: (name: string) => response.getHeader(name),
      setHeader: (name: string, value: string) =>
        response.setHeader(name, value),
      end(chunk?: Buffer) {
        mock.headersSent = true;
        response.statusCode = mock.statusCode;
        replay(response).end(chunk);
      },
    };
    return mock as unknown as ServerResponse;
  },
};

/** The cases whose responses differ in more than their message. */
const cases = CASES.filter(({ id }) =>
  /^(?:conditional|cors|head|list|method|openapi|preflight)\b/.test(id)
);

for (const [name, wrap] of Object.entries(WRAPPERS)) {
  testContract(`createNodeListener() behind ${name}`, async (setup) => {
    const listener = createNodeListener(openMemory(), OPTIONS[setup]);
    const server: Server = createServer((request, response) =>
      listener(request, wrap(response))
    ).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    return {
      send: createSender(port),
      async close() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }, { cases });
}
