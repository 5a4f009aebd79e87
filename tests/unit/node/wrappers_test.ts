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

type Headers = Readonly<Record<string, string>>;

/** Reads the headers that are passed to `writeHead` and sets them. */
function wrapWriteHead(
  read: (headers: Headers) => Iterable<readonly [string, string]>,
) {
  return (response: ServerResponse): ServerResponse => {
    const { writeHead } = response;
    response.writeHead = (status: number, headers?: unknown) => {
      for (const [name, value] of read(Object(headers))) {
        response.setHeader(name, value);
      }
      return writeHead.call(response, status);
    };
    return response;
  };
}

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
  "for ... in": wrapWriteHead(function* (headers) {
    for (const name in headers) yield [name, headers[name]!];
  }),
  "pairs": wrapWriteHead((headers) =>
    Array.isArray(headers) ? headers : Object.entries(headers)
  ),
  "objects only": wrapWriteHead((headers) =>
    Array.isArray(headers) ? [] : Object.entries(headers)
  ),
  "the headers before they are sent": (response) => {
    const { writeHead } = response;
    response.writeHead = (status: number) =>
      writeHead.call(response, status, { ...response.getHeaders() });
    return response;
  },
  "a buffer": replay,
  "a callback of end()": (response) => {
    const { end } = response;
    response.end = (...args: unknown[]) =>
      end.apply(response, [...args, () => {}] as never);
    return response;
  },
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

/** The cases for limits that only a server has. */
const LIMITS = ["size.target", "size.before-path"];
const cases = CASES.filter(({ id }) => !LIMITS.includes(id));

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
