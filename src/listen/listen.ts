import type { HandlerOptions } from "../answer/answer.ts";
import type { PlantStore } from "../domain/store.ts";

/** What a runtime's own server does for `serve`. */
export type Listen = (
  store: PlantStore,
  options: HandlerOptions & { readonly host: string; readonly port: number },
) => Listening | Promise<Listening>;

/** A runtime's own server that listens. */
export interface Listening {
  /** The port, the one that was taken where any was wanted. */
  readonly port: number;
  /** Stops, and resolves after `deadline` milliseconds at the latest. */
  close(deadline: number): Promise<void>;
}
