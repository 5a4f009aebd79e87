import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { ServiceResponse } from "../../http/response.ts";
import * as responses from "../../http/responses.ts";
import { createService } from "../../http/service.ts";
import type { Listen } from "../serve/listen.ts";
import { createNodeExchange, hasBody, MAX_HEADERS } from "./exchange.ts";

/** How long to discard what a client sends after the last response, in milliseconds. */
const LINGER_MS = 1_000;

/** The responses to errors that `node:http` detects, by the code of the error. */
const CLIENT_ERRORS: Readonly<Record<string, ServiceResponse>> = {
  HPE_HEADER_OVERFLOW: responses.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: responses.timeout,
};

/** Starts a server with `node:http`. */
export const listen: Listen = async (store, options) => {
  const service = createService(store, options);
  const respond = createNodeExchange(service, send);
  /** The open connections, with the last response on each. */
  const connections = new Map<Socket, ServerResponse | undefined>();
  let isClosing = false;

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
  server.setTimeout(options.sendTimeout, (socket) => {
    if (isIdle(socket) || socket.writableLength > 0) socket.destroy();
  });

  const isIdle = (socket: Socket) => connections.get(socket)?.closed !== false;

  server.on("connection", (socket: Socket) => {
    connections.set(socket, undefined);
    socket.on("close", () => connections.delete(socket));
  });

  function onRequest(message: IncomingMessage, response: ServerResponse) {
    connections.set(message.socket, response);
    const isReceiving = hasBody(message) ||
      message.headers.expect !== undefined;
    if (isReceiving) response.shouldKeepAlive = false; // no body is ever read
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
    if (isClosing) response.shouldKeepAlive = false;
    // Corked, Node.js sends the headers and the body in one write.
    socket.cork();
    response.writeHead(status, headers as string[]);
    if (body === undefined) response.flushHeaders();
    else response.write(body, "latin1");
    socket.uncork();
    if (response.shouldKeepAlive) return void response.end();
    req.resume(); // discards the body
    endSocket(socket);
  }

  server.on("clientError", (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    const last = connections.get(socket);
    if (last && !isIdle(socket)) {
      last.shouldKeepAlive = false; // a response to the error would precede it
      return;
    }
    const { status, headers, body } = CLIENT_ERRORS[error.code ?? ""] ??
      responses.malformed;
    const all = [...headers, ...service.common];
    endSocket(socket, format({ status, headers: all, body }));
  });

  await once(server.listen(options.port, options.host), "listening");
  server.on("error", service.reportError);

  return {
    port: (server.address() as AddressInfo).port,
    async drain(pause) {
      isClosing = true;
      server.keepAliveTimeout = pause + 1; // 0 would disable the timeout
      // The close() of HTTP servers also cuts off responses that are not fully sent.
      const closed = new Promise((resolve) =>
        NetServer.prototype.close.call(server, resolve)
      );
      const idle = setTimeout(() => {
        for (const socket of connections.keys()) {
          if (isIdle(socket)) socket.destroy();
        }
      }, pause);
      await closed;
      clearTimeout(idle);
      server.close(); // stops checking for timeouts
    },
    abort: () => server.closeAllConnections(),
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
function format({ status, headers, body }: ServiceResponse): string {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${new Date().toUTCString()}`,
    "Connection: close",
  ];
  for (let at = 0; at < headers.length; at += 2) {
    lines.push(`${headers[at]}: ${headers[at + 1]}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}
