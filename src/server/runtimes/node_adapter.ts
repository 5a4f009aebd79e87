import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate } from "node:timers"; // jsdom removes the global one
import type { MaybePromise } from "../../core/internal/maybe_promise.ts";
import type { ServiceRequest } from "../../core/http/request.ts";
import {
  closeChunks,
  createError,
  type ServiceResponse,
} from "../../core/http/response.ts";
import { invalidHost } from "../../core/http/fixed_responses.ts";
import type { Service } from "../../core/http/responder.ts";
import { normalizeOrigin, ORIGIN } from "../../core/http/target.ts";

/** The maximum number of headers. Many short ones take 10 times as much memory as their text. */
export const MAX_HEADERS = 200;

export const headersTooLarge: ServiceResponse = createError(
  431,
  "Request headers too large; send fewer or shorter headers",
);

export const malformed: ServiceResponse = createError(
  400,
  "Malformed HTTP request",
);

/**
 * A message, with properties that Node's types omit or that HTTP/2 and frameworks
 * such as Express add. Converters of `Request` objects set `socket` to `null`.
 */
type Message = IncomingMessage & {
  readonly originalUrl?: string;
  readonly joinDuplicateHeaders?: boolean;
  readonly authority?: string;
};

/** A connection, or a stream of HTTP/2. */
export interface Connection {
  /** The response to the latest request that was accepted. */
  last?: ServerResponse;
}

/**
 * Adds a request to the queue of its connection. The requests on a connection are
 * processed one at a time, so nothing is processed after a response that closes the
 * connection (RFC 9112 section 9.6), or after the client has disconnected.
 *
 * @returns A promise that resolves when it is the turn of the request; absent if the
 * queue was empty.
 */
export function joinQueue(
  connection: Connection,
  message: Message,
  response: ServerResponse,
): Promise<void> | undefined {
  const { last } = connection;
  connection.last = response;
  return last?.closed === false ? waitFor(last, message) : undefined;
}

/**
 * Connects a service to `node:http`.
 *
 * @param send Sends a response, after which the connection closes if `isLast` is set.
 * The host may have sent another one.
 * @param requiresHost Whether a request of HTTP/1.1 must have a Host header.
 * @returns A function that responds to a message in its turn.
 */
export function createNodeAdapter(
  service: Service,
  send: (
    response: ServerResponse,
    found: ServiceResponse,
    isLast: boolean,
  ) => MaybePromise<void>,
  requiresHost: boolean,
): (
  message: Message,
  response: ServerResponse,
  turn: Promise<void> | undefined,
) => Promise<void> {
  return async (message, response, turn) => {
    if (turn) await turn;
    // An earlier response has closed the connection, or the client has disconnected.
    // (In HTTP/2, a stream is not writable after HEAD.)
    const { socket, httpVersionMajor } = message;
    if (socket?.writable === false && httpVersionMajor < 2) return;
    const request = new NodeRequest(message, response, requiresHost);
    const found = await service.respond(request);
    const isLast = found.isLast === true && httpVersionMajor < 2;
    if (!found.chunks) return send(response, found, isLast);
    try {
      await send(response, found, isLast);
    } catch { // the store failed, which is reported, and the client sees a cut
      response.destroy();
    } finally {
      await closeChunks(found.chunks);
    }
  };
}

/** Waits until the previous response is sent, or until the client has disconnected. */
function waitFor(previous: ServerResponse, message: Message): Promise<void> {
  return new Promise((resolve) => {
    previous.once("close", () => setImmediate(resolve)); // after other clients
    message.once("close", resolve);
  });
}

class NodeRequest implements ServiceRequest {
  readonly method: string;
  readonly target: string;
  readonly rejection?: ServiceResponse;
  user?: string;
  readonly #message: Message;
  readonly #response: ServerResponse;

  constructor(
    message: Message,
    response: ServerResponse,
    requiresHost: boolean,
  ) {
    const { method, originalUrl, url, httpVersion, authority } = message;
    this.#message = message;
    this.#response = response;
    this.method = method ?? "";
    this.target = originalUrl ?? url ?? "";
    if (message.rawHeaders?.length > 2 * MAX_HEADERS) {
      this.rejection = headersTooLarge;
    } else if (httpVersion === "0.9" || httpVersion === "2.0" && !authority) {
      this.rejection = malformed; // HTTP/1 requests with another version
    } else if (
      requiresHost && httpVersion === "1.1" && !message.headers.host
    ) {
      this.rejection = invalidHost;
    }
  }

  signal(): AbortSignal {
    const controller = new AbortController();
    // A message also closes when a host has read it, and a mock can have no events.
    const { destroyed, once }: Partial<ServerResponse> = this.#response;
    if (destroyed) controller.abort(); // while the store authenticated
    else once?.call(this.#response, "close", () => controller.abort());
    return controller.signal;
  }

  header(name: string): string | undefined {
    const message = this.#message;
    // HTTP/2 has a pseudo-header instead of Host (RFC 9113 section 8.3.1).
    if (name === "host" && message.authority) return message.authority;
    const value = message.headers[name] as string | undefined;
    if (value === undefined || message.joinDuplicateHeaders) return value;
    // By default, Node.js keeps only the first value of some headers.
    const values = message.rawHeaders?.filter((_, at, all) =>
      at % 2 === 1 && all[at - 1]!.toLowerCase() === name
    );
    return values?.length > 1 ? values.join(", ") : value;
  }

  origin(): string {
    const { socket } = this.#message;
    const scheme = socket && "encrypted" in socket ? "https" : "http";
    const url = `${scheme}://${this.header("host") ?? ""}`;
    return normalizeOrigin(ORIGIN.test(this.target) ? this.target : url);
  }
}
