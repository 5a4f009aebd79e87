import { once } from "node:events";
import { createServer, STATUS_CODES } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { ServiceResponse } from "../../http/response.ts";
import * as responses from "../../http/responses.ts";
import { createService } from "../../http/service.ts";
import type { Listen } from "../serve/listen.ts";
import { createNodeExchange, createNodeRequest } from "./exchange.ts";

/** How long to discard what a client sends after the last response, in milliseconds. */
const LINGER_MS = 1_000;

/** The responses to errors that `node:http` detects, by the code of the error. */
const CLIENT_ERRORS: Readonly<Record<string, ServiceResponse>> = {
  HPE_HEADER_OVERFLOW: responses.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: responses.timeout,
};

/** Starts a server with `node:http`. */
export const listen: Listen = async (store, options) => {
  const { limits } = options;
  const service = createService(store, options);
  let isClosing = false;
  const { respond, lastOn } = createNodeExchange(
    service,
    endSocket,
    () => isClosing,
  );

  const server = createServer({
    maxHeaderSize: limits.headerSize,
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    connectionsCheckingInterval: 1_000, // the default, 30 s, is too long for timeouts of a few seconds
    keepAliveTimeout: limits.keepAliveTimeout,
    requireHostHeader: false, // Node's own response has no body
    joinDuplicateHeaders: true, // otherwise, only the first value is visible
    ...{ optimizeEmptyRequests: true }, // since Node.js 24
  });
  server.maxConnections = limits.connections;
  server.maxHeadersCount = 0; // otherwise, Node.js drops headers; their size is limited
  server.setTimeout(limits.sendTimeout, onTimeout);

  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("request", respond);
  // No body is ever read, so do not ask clients to send one.
  server.on("checkContinue", respond);
  server.on("checkExpectation", respond);

  /** Closes a connection that is idle or whose client does not read. */
  function onTimeout(socket: Socket): void {
    if (lastOn(socket)?.closed || socket.writableLength > 0) socket.destroy();
  }

  const rejected = new WeakSet<Socket>();
  /** Sends a response, if any, after those in progress, then ends the connection. */
  function reject(socket: Socket, response?: ServiceResponse): void {
    if (rejected.has(socket)) return;
    rejected.add(socket);
    const end = () => endSocket(socket, response && format(response));
    const last = lastOn(socket);
    if (!last || last.closed) end();
    else last.once("close", end);
  }
  server.on("connect", async (message, duplex) => {
    const socket = duplex as Socket;
    // From now on, the socket has no other listeners.
    socket.on("error", () => socket.destroy());
    socket.on("timeout", () => onTimeout(socket));
    if (lastOn(socket)?.shouldKeepAlive === false) return;
    reject(socket, await service.respond(createNodeRequest(message)));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    const last = lastOn(socket);
    // The data after an incomplete request is its body, not another request.
    const isBody = last?.req.complete === false;
    // While responses are in progress, Node.js may stop reading.
    const isUnread = last?.closed === false &&
      error.code === "ERR_HTTP_REQUEST_TIMEOUT";
    if (isBody || isUnread) return reject(socket);
    const { status, headers, body } = CLIENT_ERRORS[error.code ?? ""] ??
      responses.malformed;
    reject(socket, { status, headers: [...headers, ...service.common], body });
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
        for (const socket of sockets) {
          if (lastOn(socket)?.closed !== false) socket.destroy();
        }
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
