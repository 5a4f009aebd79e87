import { after } from "../answer/after.ts";
import type { AnswerOptions } from "../answer/answer.ts";
import type { Responder } from "../answer/handler.ts";
import type { PlantStore } from "../domain/store.ts";
import type { Limits } from "./limits.ts";

/** What a runtime's own server does for `serve`. */
export type Listen = (
  store: PlantStore,
  options: AnswerOptions & {
    readonly host: string;
    readonly port: number;
    readonly limits: Required<Limits>;
  },
) => Listening | Promise<Listening>;

/** A runtime's own server that listens. */
export interface Listening {
  /** The port, the one that was taken where any was wanted. */
  readonly port: number;
  /** Stops, and resolves after `deadline` milliseconds at the latest. */
  close(deadline: number): Promise<void>;
}

/**
 * How long, in milliseconds, answers say that the connection closes before those
 * that wait are closed: a client that is busy on one never meets a reset.
 */
export const FAREWELL = 250;

/** Answers as `respond` does; once `isClosing`, each answer says that it is the last. */
export function withFarewell(
  respond: Responder,
  isClosing: () => boolean,
): Responder {
  function finish(response: Response): Response {
    if (isClosing()) response.headers.set("Connection", "close");
    return response;
  }
  return (request) => after(respond(request), finish);
}
