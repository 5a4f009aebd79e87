import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import process from "node:process";
import { andThen, type MaybePromise } from "../../domain/maybe_promise.ts";
import { normalizeOrigin } from "../../http/host.ts";
import type { ServiceRequest } from "../../http/request.ts";
import { addVary, type ServiceResponse } from "../../http/response.ts";
import * as responses from "../../http/responses.ts";
import type { Service } from "../../http/service.ts";
import { ORIGIN } from "../../http/target.ts";

/** The maximum number of requests on a connection that wait for their responses. */
const MAX_PENDING = 100;

/** An HTTP/1 connection, or a stream of an HTTP/2 connection. */
interface Connection {
  /** The most recent response. */
  last?: ServerResponse;
  /** The number of requests that wait for their responses. */
  pending: number;
  /** Aborted when the connection is closed. */
  readonly signal: AbortSignal;
}

/** Connects a service to `node:http`. */
export interface NodeExchange {
  /** Responds to a message. For an asynchronous response, returns a promise that resolves when it is written. */
  respond(message: Message, response: ServerResponse): MaybePromise<void>;
  /** Returns the most recent response on a connection. */
  lastOn(socket: Socket): ServerResponse | undefined;
}

/**
 * Connects a service to `node:http`.
 *
 * @param endSocket Ends a connection after the response that closes it. By default,
 * `node:http` does.
 * @param isDraining Returns whether connections close after their last response.
 */
export function createNodeExchange(
  service: Service,
  endSocket?: (socket: Socket) => void,
  isDraining: () => boolean = () => false,
): NodeExchange {
  const connections = new WeakMap<object, Connection>();

  function connectionOf({ stream, socket }: Message): Connection {
    const key = stream ?? socket;
    let connection = connections.get(key);
    if (!connection) {
      const controller = new AbortController();
      setMaxListeners(0, controller.signal); // each delay adds one
      // The sockets of mock requests may not emit events.
      key.once?.("close", () => controller.abort());
      connection = { pending: 0, signal: controller.signal };
      connections.set(key, connection);
    }
    return connection;
  }

  function write(
    message: Message,
    response: ServerResponse,
    { last, signal }: Connection,
    { status, headers, body }: ServiceResponse,
  ): void {
    // A framework may have responded, or the client may have disconnected.
    if (response.headersSent || response.destroyed || signal.aborted) return;
    if (isDraining() && last === response) response.shouldKeepAlive = false;
    const vary = response.getHeader("vary"); // of a framework
    const all = vary === undefined ? headers : addVary(headers, `${vary}`);
    response.writeHead(status, all as string[]);
    const isLast = response.shouldKeepAlive === false;
    const isReceiving = hasBody(message) && !message.readableEnded;
    if (!isLast || !endSocket && !isReceiving) {
      // Otherwise, Node.js could send "100 Continue" between headers and bytes.
      const isBytes = body instanceof Uint8Array;
      if (isBytes && message.headers.expect) response.flushHeaders();
      return void response.end(body, "latin1");
    }
    // Closing a connection while the client is sending resets it, and the client
    // could lose the response (RFC 9112 section 9.6).
    response.flushHeaders();
    if (body !== undefined) response.write(body, "latin1");
    message.resume();
    if (endSocket) {
      if (response.socket) return endSocket(response.socket);
      response.once("socket", (socket) => process.nextTick(endSocket, socket));
      return;
    }
    message.once("end", () => {
      // Node.js crashes if a host has closed the connection after an earlier response.
      if (response.socket?.writable !== false) response.end();
    });
  }

  return {
    lastOn: (socket) => connections.get(socket)?.last,
    respond(message, response) {
      const connection = connectionOf(message);
      if (connection.pending === MAX_PENDING) {
        message.socket.destroy();
        return;
      }
      connection.pending++;
      // Node.js parses everything that it has read, but nothing after a request that
      // closes the connection is processed (RFC 9112 section 9.6).
      if (connection.last?.shouldKeepAlive === false) return;
      connection.last = response;
      response.once("close", () => connection.pending--);

      const request = createNodeRequest(message, connection.signal);
      if (request.rejection || closesConnection(message, response)) {
        response.shouldKeepAlive = false;
      }
      // Otherwise, Node.js before 24 discards the empty body later, which takes 1.5 µs.
      if (!hasBody(message)) message.read();
      return andThen(
        service.respond(request),
        (found) => write(message, response, connection, found),
      );
    },
  };
}

/** The option `close` in a Connection header (RFC 9110 section 7.6.1). */
const CLOSE = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;

/**
 * Whether a connection closes after a response. In some of these cases, Node.js
 * decides only when it writes the response, after it has started the next request.
 */
function closesConnection(
  { headers, httpVersion }: Message,
  response: ServerResponse,
): boolean {
  return httpVersion === "1.0" ||
    headers.upgrade !== undefined || // Node.js ignores what follows
    headers.expect !== undefined || // the client may not send the body
    headers["transfer-encoding"] !== undefined || // a proxy may read it differently
    CLOSE.test(`${headers.connection},${response.getHeader("connection")}`);
}

function hasBody({ headers }: Message): boolean {
  return headers["content-length"] !== undefined ||
    headers["transfer-encoding"] !== undefined;
}

/** A message, with properties that Node's types omit or that HTTP/2 and frameworks such as Express add. */
type Message = IncomingMessage & {
  readonly originalUrl?: string;
  readonly joinDuplicateHeaders?: boolean;
  readonly stream?: Socket;
};

/** Converts a `node:http` request. */
export function createNodeRequest(
  message: Message,
  signal?: AbortSignal,
): ServiceRequest {
  const { method = "", url = "" } = message;
  const target = message.originalUrl ?? url;
  const header = (name: string) => readHeader(message, name);
  return {
    method,
    target,
    signal,
    header,
    rejection: findRejection(message, header("host")),
    origin() {
      const scheme = "encrypted" in message.socket ? "https" : "http";
      const origin = `${scheme}://${header("host") ?? ""}`;
      return normalizeOrigin(ORIGIN.test(target) ? target : origin);
    },
  };
}

function readHeader(message: Message, name: string): string | undefined {
  const { headers } = message;
  if (name === "host" || name === "authorization") {
    // HTTP/2 has a pseudo-header instead of Host (RFC 9113 section 8.3.1).
    const authority = headers[":authority"];
    if (authority && name === "host") return authority as string;
    // By default, node:http keeps only the first value.
    const values = message.joinDuplicateHeaders
      ? undefined
      : message.headersDistinct?.[name]; // mock requests may have none
    if (values) return values.join(", ");
  }
  return headers[name] as string | undefined;
}

/** Returns the response to a message that `node:http` accepts but that is invalid. */
function findRejection(
  { httpVersionMajor, httpVersionMinor, headers, stream }: Message,
  host: string | undefined,
): ServiceResponse | undefined {
  const isOther = httpVersionMajor === 0 || httpVersionMajor > 1;
  if (isOther && !stream) return responses.malformed;
  const isModern = httpVersionMinor > 0;
  const isRepeated = host?.includes(", ");
  if (isRepeated || host === undefined && isModern) {
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
