/**
 * A request listener for `node:http` and for frameworks that are based on it, such
 * as Express and Fastify.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { PlantStore } from "../core/domain/store.ts";
import { readOptions } from "../core/internal/read_options.ts";
import {
  HANDLER_OPTIONS,
  type HandlerOptions,
} from "../core/http/handler_options.ts";
import { addVary, type ServiceResponse } from "../core/http/response.ts";
import { createService } from "../core/http/service.ts";
import {
  type Connection,
  createNodeAdapter,
  joinQueue,
} from "./runtimes/node_adapter.ts";

/**
 * A listener for the `request` event of a `node:http` server. It returns a promise that
 * resolves when the response is written. Await it before other code can respond.
 */
export type NodeListener = (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>;

/**
 * Creates a listener for `node:http` that serves the plants in a store.
 *
 * If a framework removes a prefix from `url` but keeps it in `originalUrl`, as
 * Express does, pass the prefix as `basePath`. If the framework discards the prefix,
 * as `mount` in Koa, h3, and Hono does, pass a `publicUrl` that includes it.
 *
 * The listener allows up to 200 headers, and processes the requests on a connection
 * one at a time. Set other limits and timeouts in the server.
 *
 * @param store The source of plants and users.
 * @param options Handler options. They are read once and never modified.
 * @returns The listener.
 * @throws {TypeError} If the store has no `authenticate`, or an option is unknown or
 * of the wrong type.
 * @throws {RangeError} If the value of an option is invalid.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { createMemoryStore } from "plant-store";
 * import { createNodeListener } from "plant-store/node";
 *
 * const store = createMemoryStore({ plants: [], users: {} });
 * const server = createServer(createNodeListener(store));
 * server.listen(0, "127.0.0.1", () => server.close());
 * ```
 */
export function createNodeListener(
  store: PlantStore,
  options: HandlerOptions = {},
): NodeListener {
  const read = readOptions(options, HANDLER_OPTIONS);
  const service = createService(store, read);
  const respond = createNodeAdapter(service, sendIfPossible, false); // its server checks the Host
  // Unlike `serve`, a host does not say when a connection opens or closes.
  const connections = new WeakMap<Socket, Connection>();
  return (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket) ?? {};
    if (socket && !connection.last) connections.set(socket, connection);
    return respond(request, response, joinQueue(connection, request, response));
  };
}

/**
 * Sends a response unless the host has sent another one. Middleware, caches, and mocks
 * replace or read parts of the response, so this uses only what they all know.
 */
async function sendIfPossible(
  response: ServerResponse,
  { status, headers, body, chunks }: ServiceResponse,
  isLast: boolean,
): Promise<void> {
  if (response.headersSent || response.destroyed) return;
  const vary = response.getHeader("vary");
  const all = vary === undefined ? headers : addVary(headers, `${vary}`);
  response.statusCode = status;
  for (let at = 0; at < all.length; at += 2) {
    response.setHeader(all[at]!, all[at + 1]!);
  }
  if (isLast) response.setHeader("Connection", "close");
  if (!chunks) {
    response.end(typeof body === "object" ? toBuffer(body) : body);
  } else {
    let isClosed = false, resume = () => {};
    // One listener for all chunks: `compression` removes none. Mocks can have no events.
    response.on?.("drain", () => resume());
    response.on?.("close", () => {
      isClosed = true;
      resume();
    });
    for await (const chunk of chunks) {
      const isRead = new Promise<void>((resolve) => resume = resolve);
      if (response.write(toBuffer(chunk)) === false) await isRead;
      if (isClosed) return; // the client has disconnected
    }
    response.end();
  }
}

function toBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
