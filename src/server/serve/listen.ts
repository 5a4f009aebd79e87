import type { PlantStore } from "../../domain/store.ts";
import { andThen, type MaybePromise } from "../../domain/maybe_promise.ts";
import { createFetchListener } from "../../http/handler.ts";
import type { ServiceOptions } from "../../http/options.ts";
import type { Limits } from "./defaults.ts";

/** Starts a server on a specific runtime. */
export type Listen = (
  store: PlantStore,
  options: ServiceOptions & Limits & {
    readonly host: string;
    readonly port: number;
  },
) => Listening | Promise<Listening>;

/** A server that accepts connections. */
export interface Listening {
  /** The port that the server listens on. */
  readonly port: number;
  /**
   * Adds `Connection: close` to responses, and closes idle connections after `pause`
   * milliseconds. Resolves when all connections are closed.
   */
  drain(pause: number): Promise<void>;
  /** Aborts all requests, if the runtime can. */
  abort(): void;
}

/**
 * Creates a listener for `Deno.serve` or `Bun.serve`.
 *
 * @param isClosing Returns whether responses must close their connections.
 */
export function createServerListener(
  store: PlantStore,
  options: ServiceOptions,
  isClosing: () => boolean = () => false,
): (request: Request) => MaybePromise<Response> {
  const listener = createFetchListener(store, options);
  return (request) =>
    andThen(listener(request), (response) => {
      if (isClosing()) response.headers.set("Connection", "close");
      return response;
    });
}
