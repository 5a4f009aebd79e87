import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { STATUS_TEXT, type StatusCode } from "@std/http/status";
import type { MaybePromise } from "../domain/maybe_promise.ts";
import type { Rejection } from "../http/request.ts";
import type { ServiceResponse } from "../http/response.ts";
import type { Responses } from "../http/responses.ts";
import { createService } from "../http/service.ts";
import type { Listen } from "./listen.ts";
import { isPending, NodeConnections } from "./node_connections.ts";
import { createNodeExchange, NodeRequest } from "./node_exchange.ts";

/** Starts a server with `node:http`. */
export const listen: Listen = async (store, options) => {
  const { limits } = options;
  const service = createService(store, options);
  const exchange = createNodeExchange(service, limits.bodySize, endResponse);
  const connections = new NodeConnections();
  const rejected = new WeakSet<Socket>();

  const server = createServer({
    maxHeaderSize: limits.headerSize,
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    connectionsCheckingInterval: 1_000, // the default, 30 s, is too long for timeouts of a few seconds
    keepAliveTimeout: limits.keepAliveTimeout,
    requireHostHeader: false, // Node's own response has no body
    joinDuplicateHeaders: true, // otherwise, only the first value is visible
    ...{ optimizeEmptyRequests: true }, // since Node.js 24, replaces message.read() below
  });
  server.maxConnections = limits.connections;
  server.maxHeadersCount = 0; // otherwise, Node.js drops headers; their size is limited

  server.on("connection", (socket: Socket) => connections.add(socket));

  function onRequest(
    message: IncomingMessage,
    response: ServerResponse,
    rejection?: Rejection,
  ): void {
    const { headers, socket, httpVersionMajor } = message;
    // Node.js keeps parsing requests after one that closes the connection, but they
    // must not be processed (RFC 9112 section 9.6). Node.js crashes if they are
    // processed and the client resets the connection.
    if (connections.last(socket)?.shouldKeepAlive === false) return;
    connections.start(socket, response);
    if (
      headers.upgrade !== undefined &&
      isUpgrade(`${headers.connection}, ${headers["proxy-connection"]}`)
    ) {
      // Node.js never parses the data after an upgrade request that is declined.
      response.shouldKeepAlive = false;
    }
    if (
      headers["content-length"] === undefined &&
      headers["transfer-encoding"] === undefined
    ) {
      message.read(); // otherwise, Node.js discards the empty body later, which takes 1.5 µs
    }
    exchange(
      message,
      response,
      httpVersionMajor === 1 ? rejection : "malformed",
    );
  }
  server.on("request", onRequest);
  // No body is ever read, so do not ask clients to send one.
  server.on("checkContinue", (message, response) => {
    const isContinue = message.headers.expect?.toLowerCase() === "100-continue";
    onRequest(message, response, isContinue ? undefined : "expectationFailed");
  });
  server.on("checkExpectation", (message, response) => {
    onRequest(message, response, "expectationFailed");
  });

  /** Sends a response after those in progress, then closes the connection. */
  function rejectConnection(
    socket: Socket,
    respond: () => MaybePromise<ServiceResponse | undefined>,
  ): void {
    if (rejected.has(socket)) return;
    rejected.add(socket);
    socket.on("error", () => socket.destroy()); // nothing else listens after CONNECT
    const last = connections.last(socket);
    const end = async () => endSocket(socket, await respond());
    if (isPending(last)) last.on("close", end);
    else end();
  }
  server.on("connect", (message, duplex) => {
    const request = new NodeRequest(message);
    rejectConnection(duplex as Socket, () => service.respond(request));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    // The data after an incomplete request is its body, not another request.
    const isBody = connections.last(socket)?.req.complete === false;
    const response = toResponse(error.code, service.responses);
    rejectConnection(socket, () => isBody ? undefined : response);
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      server.on("error", options.onError ?? console.error);
      resolve();
    });
  });

  return {
    port: (server.address() as AddressInfo).port,
    async close(deadline) {
      // Otherwise, close() ends connections before the response is fully sent.
      server.closeIdleConnections = () => {};
      const closed = new Promise((resolve) => server.close(resolve));
      const idle = connections.drain();
      const timer = setTimeout(() => server.closeAllConnections(), deadline);
      await closed;
      clearTimeout(idle);
      clearTimeout(timer);
    },
  };
};

function endResponse(
  response: ServerResponse,
  body: string | Uint8Array,
): void {
  response.end(body, "latin1");
}

function isUpgrade(connection: string): boolean {
  return /\bupgrade\b/i.test(connection);
}

function toResponse(
  code: string | undefined,
  responses: Responses,
): ServiceResponse {
  if (code === "HPE_HEADER_OVERFLOW") return responses.headersTooLarge;
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return responses.timeout;
  return responses.malformed;
}

/** Writes the last response directly to a socket, then closes the socket. */
function endSocket(
  socket: Socket,
  response: ServiceResponse | undefined,
): void {
  if (socket.writable && response) {
    const { status, headers, body } = response;
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_TEXT[status as StatusCode]}`,
      `Date: ${new Date().toUTCString()}`,
    ];
    for (let at = 0; at < headers.length; at += 2) {
      lines.push(`${headers[at]}: ${headers[at + 1]}`);
    }
    lines.push("Connection: close");
    socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  }
  socket.destroySoon();
}
