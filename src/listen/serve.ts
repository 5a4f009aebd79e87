import type { HandlerOptions } from "../answer/answer.ts";
import { resolveBasePath } from "../answer/path.ts";
import { type PlantStore, StoreUnavailableError } from "../domain/store.ts";
import { type Limits, resolveLimits } from "./limits.ts";
import { toServerUrl } from "./server_url.ts";

export type { Limits } from "./limits.ts";

/** Where and how {@linkcode serve} listens. */
export interface ServeOptions extends HandlerOptions {
  /** The host name or address to listen on. Default: `"127.0.0.1"`. */
  readonly host?: string;
  /** The port to listen on, from 0 to 65535; 0 takes a free one. Default: 8000. */
  readonly port?: number;
  /** What clients may take. */
  readonly limits?: Limits;
}

/** A server that listens. */
export interface Server extends AsyncDisposable {
  /** The address under which it answers, with the base path and a slash at the end. */
  readonly url: string;
  /**
   * Stops the server. From now on `/readyz` is 503. After `delay` it takes no
   * more connections, and answers say that theirs closes; those that wait are
   * closed a moment later, and the requests under way finish.
   *
   * @returns Resolves when all connections are closed, and `deadline` after
   * `delay` at the latest. Requests that are still under way then are cut on `node:http`, and
   * left to the end of the process on `Deno.serve`, which has no way to cut them.
   */
  close(options?: CloseOptions): Promise<void>;
}

/** How {@linkcode Server.close} closes. */
export interface CloseOptions {
  /** How long requests under way may take, in milliseconds. Default: 8000. */
  readonly deadline?: number;
  /**
   * How long requests are answered as before, in milliseconds, so that a balancer
   * that asks `/readyz` sends no more of them. Default: 0.
   */
  readonly delay?: number;
}

/**
 * Serves a store over HTTP, on `Deno.serve` or `Bun.serve` where there is one,
 * and on `node:http` otherwise.
 *
 * @param store Where the plants come from.
 * @param options Where to listen and how to answer.
 * @returns The server, once it answers.
 * @throws {RangeError} When an option can't be used.
 * @throws {Error} When it can't listen, with the `code` of the system, such as
 * `EADDRINUSE` for a taken port.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from "plant-store";
 * import { serve } from "plant-store/serve";
 * import { assertEquals } from "@std/assert";
 *
 * const store = createMemoryStore({ plants: [], users: {} });
 * const server = await serve(store, { port: 0 });
 * const response = await fetch(new URL("healthz", server.url));
 * assertEquals(await response.json(), { status: "ok" });
 * await server.close();
 * ```
 */
export async function serve(
  store: PlantStore,
  options: ServeOptions = {},
): Promise<Server> {
  const { host = "127.0.0.1", port = 8000 } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new RangeError(`the port must be from 0 to 65535, not ${port}`);
  }
  const basePath = resolveBasePath(options.basePath);
  const limits = resolveLimits(options.limits);
  const { listen } = "Deno" in globalThis
    ? await import("./deno_server.ts")
    : "Bun" in globalThis
    ? await import("./bun_server.ts")
    : await import("./node_server.ts");

  let draining = false;
  const drained: PlantStore = {
    view: (token) => store.view(token),
    ready() {
      if (draining) throw new StoreUnavailableError("The server is stopping");
      return store.ready?.();
    },
  };
  const listening = await listen(drained, {
    ...options,
    host,
    port,
    limits,
    urlLength: limits.urlLength,
  });

  let closed: Promise<void> | undefined;
  function close(options: CloseOptions = {}): Promise<void> {
    draining = true;
    return closed ??= stop(options);
  }
  async function stop({ deadline = 8_000, delay = 0 }: CloseOptions) {
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    await listening.close(deadline);
  }
  return {
    url: toServerUrl(host, listening.port, basePath),
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}
