import type { PlantStore } from "../../core/domain/store.ts";
import type { ServiceOptions } from "../../core/http/handler_options.ts";
import type { Limits } from "./defaults.ts";

export type StartServer = (
  store: PlantStore,
  options: ServiceOptions & Limits & {
    readonly host: string;
    readonly port: number;
  },
) => PlatformServer | Promise<PlatformServer>;

export interface PlatformServer {
  readonly port: number;
  /**
   * Stops accepting connections, and closes idle ones after `pause` milliseconds.
   * Resolves when all connections are closed.
   */
  drain(pause: number): Promise<void>;
  abort(): void;
}
