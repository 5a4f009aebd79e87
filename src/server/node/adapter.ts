import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { andThen, type MaybePromise } from "../../domain/maybe_promise.ts";
import { normalizeOrigin } from "../../http/host.ts";
import type { ServiceRequest } from "../../http/request.ts";
import type { ServiceResponse } from "../../http/response.ts";
import * as responses from "../../http/responses.ts";
import type { Service } from "../../http/service.ts";
import { ORIGIN } from "../../http/target.ts";

/** The maximum number of requests on a connection that wait for earlier responses. */
const MAX_WAITING = 10;

/** The maximum number of headers. Many short ones take 10 times as much memory as their text. */
export const MAX_HEADERS = 200;

/** An HTTP/1 connection, or a stream of an HTTP/2 connection. */
interface Connection {
  /** The response to the latest request. */
  last: ServerResponse;
  /** The number of requests that wait for earlier responses. */
  waiting: number;
}

/** A message, with properties that Node's types omit or that HTTP/2 and frameworks such as Express add. */
type Message = IncomingMessage & {
  readonly originalUrl?: string;
  readonly joinDuplicateHeaders?: boolean;
  readonly stream?: unknown;
};

/** Connects a service to `node:http`. */
export interface NodeAdapter {
  /** Responds to a message. For an asynchronous response, returns a promise that resolves when it is sent. */
  respond(message: Message, response: ServerResponse): MaybePromise<void>;
  /** Returns the response to the latest request on a connection. */
  lastOn(socket: Socket): ServerResponse | undefined;
}

/**
 * Connects a service to `node:http`. Requests on a connection are processed one at a
 * time, so nothing is processed after a response that closes the connection (RFC 9112
 * section 9.6), or after the client has disconnected.
 *
 * @param send Sends a response. The host may have sent another one.
 */
export function createNodeAdapter(
  service: Service,
  send: (response: ServerResponse, found: ServiceResponse) => void,
): NodeAdapter {
  const connections = new WeakMap<Socket, Connection>();

  function respond(
    message: Message,
    response: ServerResponse,
  ): MaybePromise<void> {
    const { socket } = message;
    const connection = connections.get(socket);
    if (connection === undefined) {
      connections.set(socket, { last: response, waiting: 0 });
    } else {
      const previous = connection.last;
      connection.last = response;
      if (!previous.closed) {
        return wait(connection, previous, message, response);
      }
    }
    return handle(message, response);
  }

  /** Processes a request after the response to the previous one. */
  async function wait(
    connection: Connection,
    previous: ServerResponse,
    message: Message,
    response: ServerResponse,
  ): Promise<void> {
    const isTooLarge = message.rawHeaders.length > 2 * MAX_HEADERS;
    if (connection.waiting === MAX_WAITING || isTooLarge) {
      return void message.socket.destroy();
    }
    connection.waiting++;
    await new Promise((resolve) => {
      previous.once("close", () => setImmediate(resolve)); // after other clients
      message.once("close", resolve); // the client has disconnected
    });
    connection.waiting--;
    await handle(message, response);
  }

  function handle(
    message: Message,
    response: ServerResponse,
  ): MaybePromise<void> {
    // The host may have responded, or an earlier response has closed the connection.
    if (response.writableEnded || message.socket.writable === false) return;
    const request = new NodeRequest(message);
    // Node.js ignores what it has read after an upgrade that is declined.
    if (request.rejection || message.headers.upgrade !== undefined) {
      response.shouldKeepAlive = false;
    }
    return andThen(service.respond(request), (found) => send(response, found));
  }

  return { respond, lastOn: (socket) => connections.get(socket)?.last };
}

/** A `node:http` request. */
export class NodeRequest implements ServiceRequest {
  readonly method: string;
  readonly target: string;
  readonly rejection: ServiceResponse | undefined;
  user?: string;
  readonly #message: Message;

  constructor(message: Message) {
    this.#message = message;
    this.method = message.method ?? "";
    this.target = message.originalUrl ?? message.url ?? "";
    this.rejection = findRejection(message, this.header("host"));
  }

  isAborted(): boolean {
    return this.#message.socket.destroyed;
  }

  header(name: string): string | undefined {
    return readHeader(this.#message, name);
  }

  origin(): string {
    const scheme = "encrypted" in this.#message.socket ? "https" : "http";
    const origin = `${scheme}://${this.header("host") ?? ""}`;
    return normalizeOrigin(ORIGIN.test(this.target) ? this.target : origin);
  }
}

function readHeader(message: Message, name: string): string | undefined {
  const { headers, rawHeaders } = message;
  // HTTP/2 has a pseudo-header instead of Host (RFC 9113 section 8.3.1).
  const authority = name === "host" ? headers[":authority"] : undefined;
  if (authority) return authority as string;
  const value = headers[name] as string | undefined;
  if (value === undefined || message.joinDuplicateHeaders) return value;
  // By default, Node.js keeps only the first value of some headers. Mock requests may
  // have no raw headers.
  const values = rawHeaders?.filter((_, at) =>
    at % 2 === 1 && rawHeaders[at - 1]!.toLowerCase() === name
  );
  return values?.length > 1 ? values.join(", ") : value;
}

/** Returns the response to a message that `node:http` accepts but that is invalid. */
function findRejection(
  message: Message,
  host: string | undefined,
): ServiceResponse | undefined {
  const { httpVersionMajor, httpVersionMinor, headers, stream } = message;
  if (message.rawHeaders?.length > 2 * MAX_HEADERS) {
    return responses.headersTooLarge;
  }
  const isOther = httpVersionMajor === 0 || httpVersionMajor > 1;
  if (isOther && !stream) return responses.malformed;
  const isModern = httpVersionMinor > 0;
  if (host === undefined ? isModern : host.includes(", ")) {
    return responses.invalidHost;
  }
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "chunked") {
    return responses.invalidFraming;
  }
  const { expect } = headers;
  return expect !== undefined && isModern && !/^100-continue$/i.test(expect)
    ? responses.expectationFailed
    : undefined;
}
