import type { PlantStore } from "../../domain/store.ts";
import type { MaybePromise } from "../../internal/maybe_promise.ts";
import { createFetchListener, createResponse } from "../handler.ts";
import type { ServiceOptions } from "../../http/handler_options.ts";
import type { Limits } from "./defaults.ts";

/** Starts a server on a specific runtime. */
export type StartServer = (
  store: PlantStore,
  options: ServiceOptions & Limits & {
    readonly host: string;
    readonly port: number;
  },
) => RunningServer | Promise<RunningServer>;

/** A server that accepts connections. */
export interface RunningServer {
  /** The port that the server listens on. */
  readonly port: number;
  /**
   * Stops accepting connections, and closes idle ones after `pause` milliseconds.
   * Resolves when all connections are closed.
   */
  drain(pause: number): Promise<void>;
  /** Aborts all requests, if the runtime can. */
  abort(): void;
}

/** Creates a listener for `Deno.serve` or `Bun.serve`. */
export function createServerListener(
  store: PlantStore,
  options: ServiceOptions,
): (request: Request) => MaybePromise<Response> {
  // On Deno and Bun, cloning a response takes a fraction of the time of creating it. (On
  // Node.js, it would copy the body.)
  const listen = createFetchListener(store, options, (found) => {
    const { prepared } = found;
    if (!prepared) return createResponse(found);
    return (prepared.response ??= createResponse(found)).clone();
  });
  return (request) => listen(request); // servers pass other arguments
}
