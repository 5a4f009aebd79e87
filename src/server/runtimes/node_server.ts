import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { clearInterval, setInterval, setTimeout } from "node:timers"; // a window has others
import type { ServiceResponse } from "../../http/response.ts";
import { createService } from "../../http/service.ts";
import type { StartServer } from "./platform_server.ts";
import {
  type Connection,
  createNodeAdapter,
  MAX_HEADERS,
} from "./node_adapter.ts";
import * as errors from "./client_errors.ts";

/** How long a client can pause while it sends after the last response, in milliseconds. */
const LINGER_MS = 1_000;

/** The size of bodies that are always sent, in bytes. On all connections, they take up to 64 MB. */
const SMALL = 16_384;

/** The responses to errors that `node:http` detects, by the code of the error. */
const CLIENT_ERRORS: Readonly<Record<string, ServiceResponse>> = {
  HPE_HEADER_OVERFLOW: errors.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: errors.timeout,
};

/** Starts a server with `node:http`. */
export const startNodeServer: StartServer = async (store, options) => {
  const service = createService(store, options);
  const connections = new Map<Socket, Connection>();
  /** The bodies that clients have not read yet, except small ones. */
  const unread = new Map<ServerResponse, string | Uint8Array>();
  const adapter = createNodeAdapter(service, send, {
    ...options,
    requiresHost: true,
  });

  const server = createServer({
    maxHeaderSize: options.headerSize,
    headersTimeout: options.headersTimeout,
    requestTimeout: options.requestTimeout,
    connectionsCheckingInterval: 1_000, // the default, 30 s, is too long for timeouts of a few seconds
    keepAliveTimeout: options.keepAliveTimeout,
    requireHostHeader: false, // Node's own response has no body
    joinDuplicateHeaders: true, // otherwise, only the first value is visible
  });
  server.maxConnections = options.connections;
  server.maxHeadersCount = MAX_HEADERS + 1; // more are not kept, and lead to 431
  // A client that has finished sending still gets its responses.
  Object.assign(server, { httpAllowHalfOpen: true });

  server.on("connection", (socket: Socket) => {
    const connection = { waiting: 0 };
    connections.set(socket, connection);
    // If a request asks for an upgrade, Node.js removes its own listeners.
    socket.on("close", () => {
      connections.delete(socket);
      adapter.release(connection);
    });
  });

  function onRequest(message: IncomingMessage, response: ServerResponse) {
    const connection = connections.get(message.socket);
    if (!connection) return;
    const { "content-length": length = "0", "transfer-encoding": coding } =
      message.headers;
    const hasBody = length !== "0" || coding !== undefined;
    if (hasBody) {
      response.shouldKeepAlive = false;
    } else {
      // Node.js would discard the empty body later, which takes 1.5 µs. (Its option
      // optimizeEmptyRequests omits the event for a client that disconnects.)
      message.read();
    }
    const done = adapter.accept(message, response, connection);
    if (hasBody || connection.isFull) {
      const hasStopped = stopParsing(message.socket);
      if (connection.isFull && !hasStopped) message.socket.destroy();
    }
    return done;
  }
  server.on("request", onRequest);
  server.on("checkContinue", onRequest);
  server.on("checkExpectation", onRequest);

  function send(
    response: ServerResponse,
    found: ServiceResponse,
    isLast: boolean,
  ): void {
    const { socket, req } = response;
    if (!socket?.writable) return; // the client has disconnected
    const isSent = canKeep(found.body);
    if (isLast || options.state?.isShuttingDown || !isSent) {
      response.shouldKeepAlive = false;
    }
    if (isSent) write(response, found, socket);
    if (response.shouldKeepAlive) return void response.end();
    req.resume(); // otherwise, Node.js pauses the connection after a part of a body
    endSocket(socket);
    // By then, the client has the body, but it can leave the connection open.
    socket.once("finish", () => unread.delete(response));
  }

  /** Whether a body can be kept until the client has read it. */
  function canKeep(body: string | Uint8Array = ""): boolean {
    if (body.length <= SMALL) return true;
    const bodies = new Set(unread.values());
    if (bodies.has(body)) return true; // another client has requested the same
    let size = 0;
    for (const { length } of bodies) size += length;
    return size <= options.unread;
  }

  /** Writes a response, and counts its body until the client has read it. */
  function write(
    response: ServerResponse,
    { status, headers, body }: ServiceResponse,
    socket: Socket,
  ): void {
    // Corked, Node.js sends the headers and the body in one write.
    socket.cork();
    response.writeHead(status, headers as string[]);
    if (body === undefined) response.flushHeaders();
    else response.write(body, "latin1");
    socket.uncork();
    if (socket.writableLength === 0) return;
    socket.setTimeout(options.sendTimeout);
    if (body && body.length > SMALL) {
      unread.set(response, body);
      response.once("close", () => unread.delete(response));
    }
  }

  /**
   * Ends a connection in stages (RFC 9112 section 9.6). Destroying it while the client
   * is sending would reset it, and the client could lose the last response.
   */
  function endSocket(socket: Socket, text = ""): void {
    if (!socket.writable) return;
    discardInput(socket);
    socket.end(text, () => {
      socket.setTimeout(LINGER_MS);
      setTimeout(() => socket.destroy(), options.requestTimeout).unref();
    });
  }

  server.on("clientError", (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    const found = CLIENT_ERRORS[error.code ?? ""] ?? errors.malformed;
    const headers = [...found.headers, ...service.common];
    const reject = () =>
      endSocket(socket, errors.formatResponse({ ...found, headers }));
    const connection = connections.get(socket);
    if (!connection || connection.isMalformed) return; // an error for each packet
    connection.isMalformed = true;
    if (connection.last?.writableFinished === false) {
      // After this event, Node.js ends the connection if the client has half-closed it.
      connection.last.prependOnceListener("finish", reject);
    } else reject();
  });

  await once(server.listen(options.port, options.host), "listening");
  server.on("error", service.reportError);

  return {
    port: (server.address() as AddressInfo).port,
    async drain(pause) {
      const timer = setInterval(() => {
        for (const [socket, { last }] of connections) {
          if (last?.closed !== false) socket.destroy(); // it is idle
        }
      }, pause);
      // The close() of HTTP servers also cuts off responses that are not fully sent.
      NetServer.prototype.close.call(server);
      await once(server, "close");
      clearInterval(timer);
      server.close(); // stops checking for timeouts
    },
    abort: () => server.closeAllConnections(),
  };
};

/**
 * Ignores all later requests. Node.js parses a whole read at once, and would keep a
 * message and a response for each of 2,500 requests. It has no documented way to stop.
 *
 * @returns Whether this version of Node.js has the undocumented way.
 */
function stopParsing(socket: Socket): boolean {
  discardInput(socket);
  const { parser } = socket as {
    parser?: { onIncoming?: (message: { upgrade: boolean }) => number };
  };
  if (!parser?.onIncoming) return false;
  parser.onIncoming = (message) => {
    message.upgrade = false; // otherwise, Node.js removes its listeners
    return 2; // nothing more is parsed, as after an upgrade
  };
  return true;
}

/** Discards what a client still sends. Node.js would parse and keep the requests. */
function discardInput(socket: Socket): void {
  socket.removeAllListeners("data").on("data", () => {});
}
