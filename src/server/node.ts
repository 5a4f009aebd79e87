/**
 * A request listener for `node:http` and for frameworks that are based on it, such
 * as Express and Fastify.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { PlantStore } from "../domain/store.ts";
import type { HandlerOptions } from "../http/options.ts";
import { createService } from "../http/service.ts";
import { resolveLimits } from "./limits.ts";
import { createNodeExchange } from "./node_exchange.ts";

/**
 * A listener for the `request` event of a `node:http` server. If it responds
 * asynchronously, it returns a promise that resolves when the response is written.
 */
export type NodeListener = (
  request: IncomingMessage,
  response: ServerResponse,
) => void | Promise<void>;

/**
 * Creates a listener for `node:http` that serves the plants in a store.
 *
 * If a framework removes a prefix from `url` but keeps it in `originalUrl`, as
 * Express does, pass the prefix as `basePath`. If the framework discards the prefix,
 * as `mount` in Koa, h3, and Hono does, pass a `publicUrl` that includes it.
 *
 * @param store The source of plants and users.
 * @param options Handler options. They are read once and never modified.
 * @returns The listener.
 * @throws {RangeError} If an option is invalid.
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
  const { bodySize } = resolveLimits();
  const exchange = createNodeExchange(
    createService(store, options),
    bodySize,
    (response, body) => response.end(body, "latin1"),
  );
  const closing = new WeakSet<Socket>();
  // Frameworks such as Express pass additional arguments.
  return (request, response) => {
    const { socket, httpVersionMajor } = request;
    // Node.js keeps parsing requests after one that closes the connection, but they
    // must not be processed (RFC 9112 section 9.6).
    if (closing.has(socket)) return;
    const done = exchange(request, response);
    if (httpVersionMajor === 1 && !response.shouldKeepAlive) {
      closing.add(socket);
    }
    return done;
  };
}
