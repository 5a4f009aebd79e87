import type { IncomingMessage, ServerResponse } from "node:http";
import { createAnswer, type HandlerOptions } from "../answer/answer.ts";
import type { PlantStore } from "../domain/store.ts";
import { resolveLimits } from "./limits.ts";
import { toListener } from "./node_exchange.ts";

/**
 * A listener for the `request` event of `node:http`. What it promises is resolved
 * once the response is written, for hosts that wait for it.
 */
export type NodeListener = (
  request: IncomingMessage,
  response: ServerResponse,
) => void | Promise<void>;

/**
 * Creates a listener for `node:http`, and for every host that hands on its
 * `IncomingMessage` and `ServerResponse`. In a host that takes a prefix off
 * `url`, such as Express, `originalUrl` counts, and the prefix is the base path. A
 * host that takes it off without a trace (`mount` of Koa, h3 or Hono) needs no
 * base path, and `publicUrl` with the prefix.
 *
 * @param store Where the plants come from.
 * @param options How it answers; read once, never written.
 * @returns The listener.
 * @throws {RangeError} When an option can't be used.
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
  const listener = toListener(createAnswer(store, options), bodySize);
  // Hosts such as Express hand on more than these two.
  return (request, response) => listener(request, response);
}
