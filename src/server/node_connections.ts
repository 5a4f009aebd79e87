import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { closeInStages } from "./close.ts";
import { IDLE_CLOSE_DELAY_MS } from "./listen.ts";

/** The maximum number of requests per connection that can wait for responses. */
const MAX_PIPELINED = 100;

/** How long a connection that reached the maximum stays paused after its last response. */
const PAUSE_MS = 100;

/** The state of a connection. */
interface Connection {
  /** The most recent response on the connection. */
  last?: ServerResponse;
  /** The number of earlier responses that were in progress when `last` started. */
  pending: number;
}

/** The connections of a server. */
export class NodeConnections {
  readonly #connections = new Map<Socket, Connection>();
  #isDraining = false;

  /** Tracks a connection until it is closed. */
  add(socket: Socket): void {
    this.#connections.set(socket, { pending: 0 });
    socket.on("close", () => this.#connections.delete(socket));
    closeInStages(socket);
  }

  /** Returns the most recent response on a connection. */
  last(socket: Socket): ServerResponse | undefined {
    return this.#connections.get(socket)?.last;
  }

  /** Records the start of a response. */
  start(socket: Socket, response: ServerResponse): void {
    const connection = this.#connections.get(socket);
    if (!connection) return;
    const { last, pending } = connection;
    connection.pending = isPending(last) ? pending + 1 : 0;
    connection.last = response;
    if (connection.pending >= MAX_PIPELINED) this.#pause(socket, response);
    if (this.#isDraining) this.#closeAfter(socket, response);
  }

  /**
   * Closes busy connections after their last response, and idle connections after
   * a delay.
   *
   * @returns The timer for the delay.
   */
  drain(): NodeJS.Timeout {
    this.#isDraining = true;
    for (const [socket, { last }] of this.#connections) {
      if (isPending(last)) this.#closeAfter(socket, last);
    }
    return setTimeout(() => {
      for (const [socket, { last }] of this.#connections) {
        if (!isPending(last)) socket.destroy();
      }
    }, IDLE_CLOSE_DELAY_MS);
  }

  /** Closes a connection after a response, unless another one has started by then. */
  #closeAfter(socket: Socket, response: ServerResponse): void {
    // Headers that are already sent lack `Connection: close`, so the client may
    // send another request. Keep the connection open for it.
    const delay = response.headersSent ? IDLE_CLOSE_DELAY_MS : 0;
    if (!response.headersSent) response.shouldKeepAlive = false;
    response.on("close", () => {
      setTimeout(() => {
        if (this.last(socket) === response) socket.destroySoon();
      }, delay);
    });
  }

  /** Stops reading from a connection until shortly after its last response. */
  #pause(socket: Socket, response: ServerResponse): void {
    socket.pause();
    socket.resume = () => socket; // Node.js resumes the socket for each request
    response.on("close", () => {
      if (this.last(socket) !== response) return;
      setTimeout(() => {
        Reflect.deleteProperty(socket, "resume");
        socket.resume();
      }, PAUSE_MS).unref();
    });
  }
}

/** Whether a response is in progress. */
export function isPending(
  response: ServerResponse | undefined,
): response is ServerResponse {
  return response !== undefined && !response.closed;
}
