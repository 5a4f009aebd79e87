import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ServiceResponse } from "../../http/response.ts";
import * as responses from "../../http/responses.ts";
import { createService } from "../../http/service.ts";
import type { StartServer } from "../serve/start_server.ts";
import { createNodeAdapter, MAX_HEADERS } from "./adapter.ts";

/** How long to discard what a client sends after the last response, in milliseconds. */
const LINGER_MS = 1_000;

/** The responses to errors that `node:http` detects, by the code of the error. */
const CLIENT_ERRORS: Readonly<Record<string, ServiceResponse>> = {
  HPE_HEADER_OVERFLOW: responses.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: responses.timeout,
};

/** Starts a server with `node:http`. */
export const startServer: StartServer = async (store, options) => {
  const { isShuttingDown = () => false } = options;
  const service = createService(store, options);
  const { respond, lastOn } = createNodeAdapter(service, send);

  const server = createServer({
    maxHeaderSize: options.headerSize,
    headersTimeout: options.headersTimeout,
    requestTimeout: options.requestTimeout,
    connectionsCheckingInterval: 1_000, // the default, 30 s, is too long for timeouts of a few seconds
    keepAliveTimeout: options.keepAliveTimeout,
    requireHostHeader: false, // Node's own response has no body
    joinDuplicateHeaders: true, // otherwise, only the first value is visible
    ...{ optimizeEmptyRequests: true }, // since Node.js 24
  });
  server.maxConnections = options.connections;
  server.maxHeadersCount = MAX_HEADERS; // Node.js drops others; the response is 431

  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });

  /** Whether a connection has no request in progress. */
  const isIdle = (socket: Socket) => lastOn(socket)?.closed !== false;

  function onRequest(message: IncomingMessage, response: ServerResponse) {
    const { headers } = message;
    const hasBody = headers["content-length"] !== undefined ||
      headers["transfer-encoding"] !== undefined;
    if (hasBody || headers.expect !== undefined) {
      response.shouldKeepAlive = false; // no body is ever read
    } else {
      // Otherwise, Node.js before 24 discards the empty body later, which takes 1.5 µs.
      message.read();
    }
    return respond(message, response);
  }
  server.on("request", onRequest);
  server.on("checkContinue", onRequest);
  server.on("checkExpectation", onRequest);

  function send(
    response: ServerResponse,
    { status, headers, body }: ServiceResponse,
  ): void {
    const { socket, req } = response;
    if (!socket?.writable) return; // the client has disconnected
    if (isShuttingDown()) response.shouldKeepAlive = false;
    // Corked, Node.js sends the headers and the body in one write.
    socket.cork();
    response.writeHead(status, headers as string[]);
    if (body === undefined) response.flushHeaders();
    else response.write(body, "latin1");
    socket.uncork();
    if (socket.writableLength > 0) socket.setTimeout(options.sendTimeout);
    if (response.shouldKeepAlive) return void response.end();
    req.resume(); // discards the body
    endSocket(socket);
  }

  /** Responds to a request that Node.js does not pass to the adapter. */
  function reject(socket: Socket, response: ServiceResponse): void {
    if (isIdle(socket)) {
      return endSocket(socket, format(response, service.common));
    }
    lastOn(socket)!.shouldKeepAlive = false; // this response would precede it
  }
  server.on("connect", (_message: IncomingMessage, duplex: Duplex) => {
    const socket = duplex as Socket;
    // Node.js has removed its own listeners.
    socket.on("error", () => {}).on("timeout", () => socket.destroy());
    reject(socket, responses.methodNotAllowed);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, duplex: Duplex) => {
    const response = CLIENT_ERRORS[error.code ?? ""] ?? responses.malformed;
    reject(duplex as Socket, response);
  });

  await once(server.listen(options.port, options.host), "listening");
  server.on("error", service.reportError);

  return {
    port: (server.address() as AddressInfo).port,
    async drain(pause) {
      server.keepAliveTimeout = pause + 1; // 0 would disable the timeout
      // The close() of HTTP servers also cuts off responses that are not fully sent.
      const closed = new Promise((resolve) =>
        NetServer.prototype.close.call(server, resolve)
      );
      const idle = setTimeout(() => {
        for (const socket of sockets) if (isIdle(socket)) socket.destroy();
      }, pause);
      await closed;
      clearTimeout(idle);
      server.close(); // stops checking for timeouts
    },
    abort() {
      for (const socket of sockets) socket.destroy();
    },
  };
};

/**
 * Ends a connection in stages (RFC 9112 section 9.6). Destroying it while the client
 * is sending would reset it, and the client could lose the last response.
 */
function endSocket(socket: Socket, text = ""): void {
  if (!socket.writable) return;
  socket.end(text, () => {
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
}

/** Formats a response for a connection on which `node:http` cannot send one. */
function format(
  { status, headers, body }: ServiceResponse,
  common: readonly string[],
): string {
  const all = [...headers, ...common];
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${new Date().toUTCString()}`,
    "Connection: close",
  ];
  for (let at = 0; at < all.length; at += 2) {
    lines.push(`${all[at]}: ${all[at + 1]}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}
