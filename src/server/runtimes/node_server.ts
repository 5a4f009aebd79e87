import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { clearInterval, setInterval } from "node:timers"; // jsdom replaces the global ones
import type { Chunks, ServiceResponse } from "../../core/http/response.ts";
import { createService } from "../../core/http/service.ts";
import type { MaybePromise } from "../../core/internal/maybe_promise.ts";
import type { StartServer } from "./platform_server.ts";
import { createTurns } from "./turns.ts";
import { createNodeAdapter, joinQueue, MAX_HEADERS } from "./node_adapter.ts";
import {
  endInStages,
  ignoreRequests,
  limitReading,
  rejectMalformed,
  type ServerConnection,
} from "./hostile_clients.ts";

/** The maximum size of what is written at once, in bytes. */
const MAX_WRITE = 65_536;

export const startNodeServer: StartServer = async (store, options) => {
  const service = createService(store, options);
  const respond = createNodeAdapter(service, send, true);
  const connections = new Map<Socket, ServerConnection>();
  let totalQueuedBytes = 0;
  const takeTurn = createTurns();

  const server = createServer({
    maxHeaderSize: options.headerBytes,
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
    const connection = { queuedBytes: 0 };
    connections.set(socket, connection);
    // If a request asks for an upgrade, Node.js removes its own listeners.
    socket.on("close", () => {
      connections.delete(socket);
      count(connection, -Infinity);
    });
  });

  /** Counts a request that waits; with a negative size, no longer counts it. */
  function count(connection: ServerConnection, size: number): void {
    const change = Math.max(size, -connection.queuedBytes);
    connection.queuedBytes += change;
    totalQueuedBytes += change;
  }

  function onRequest(message: IncomingMessage, response: ServerResponse): void {
    const connection = connections.get(message.socket);
    if (!connection) return;
    const { "content-length": length = "0", "transfer-encoding": coding } =
      message.headers;
    const hasBody = length !== "0" || coding !== undefined;
    // Node.js would discard the empty body later, which takes 1.5 µs. (Its option
    // optimizeEmptyRequests omits the event for a client that disconnects.)
    if (!hasBody) message.read();
    const turn = joinQueue(connection, message, response);
    let isFull = false;
    if (turn) {
      const size = sizeOf(message);
      count(connection, size);
      void turn.then(() => count(connection, -size));
      isFull = connection.queuedBytes > options.queuedBytes ||
        totalQueuedBytes > options.totalQueuedBytes;
    }
    if (hasBody || isFull) {
      response.shouldKeepAlive = false;
      ignoreRequests(message.socket, isFull);
    }
    void respond(message, response, turn);
  }
  server.on("request", onRequest);
  server.on("checkContinue", onRequest);
  server.on("checkExpectation", onRequest);

  function send(
    response: ServerResponse,
    { status, headers, body, chunks }: ServiceResponse,
    isLast: boolean,
  ): MaybePromise<void> {
    const { socket, req } = response;
    if (!socket?.writable) return; // the client has disconnected
    if (isLast) response.shouldKeepAlive = false;
    // Otherwise, Node.js pauses the connection after a part of a body.
    if (!response.shouldKeepAlive) req.resume();
    const isLong = typeof body === "object" && body.length > MAX_WRITE;
    if (isLong || chunks && req.method !== "HEAD") {
      response.writeHead(status, headers as string[]);
      return sendChunks(response, socket, chunks ?? [body as Uint8Array]);
    }
    // Corked, Node.js sends the headers and the body in one write.
    socket.cork();
    response.writeHead(status, headers as string[]);
    if (body === undefined) response.flushHeaders();
    else response.write(body, "latin1");
    socket.uncork();
    if (socket.writableLength > 0) limitReading(response, socket, options);
    end(response, socket);
  }

  /** Sends a long body, each chunk when the client has read the previous one. */
  async function sendChunks(
    response: ServerResponse,
    socket: Socket,
    chunks: Chunks | readonly Uint8Array[],
  ): Promise<void> {
    const timer = limitReading(response, socket, options);
    try {
      for await (const chunk of chunks) {
        for (let at = 0; at < chunk.length; at += MAX_WRITE) {
          const part = chunk.subarray(at, at + MAX_WRITE); // of an array, or of a huge plant
          timer.refresh();
          await new Promise((resolve) => response.write(part, resolve));
          await takeTurn();
          if (!socket.writable) return; // the client has disconnected
        }
      }
      end(response, socket);
    } catch { // the store failed, which is reported
      socket.resetAndDestroy();
    }
  }

  function end(response: ServerResponse, socket: Socket): void {
    const lastChunk = response.chunkedEncoding ? "0\r\n\r\n" : "";
    if (response.shouldKeepAlive) response.end();
    else endInStages(socket, options, lastChunk);
  }

  server.on("clientError", (error, duplex) => {
    const socket = duplex as Socket;
    const connection = connections.get(socket);
    if (!connection) return;
    rejectMalformed(error, socket, connection, service.common, options);
  });

  await once(server.listen(options.port, options.host), "listening");
  server.on("error", service.reportError);

  return {
    port: (server.address() as AddressInfo).port,
    async drain(pause) {
      const timer = setInterval(() => {
        for (const [socket, { last }] of connections) {
          if (last?.closed !== false) socket.destroy(); // it has no complete request
        }
      }, pause);
      // The close() of HTTP servers also cuts off responses that are not fully sent.
      NetServer.prototype.close.call(server);
      await once(server, "close");
      clearInterval(timer);
      server.close(); // stops checking for timeouts
    },
    abort() {
      for (const [socket, { last }] of connections) {
        // Without a reset, a list over HTTP/1.0 would look complete.
        if (last?.closed === false && !socket.writableFinished) {
          socket.resetAndDestroy();
        } else socket.destroy();
      }
    },
  };
};

/** Returns the approximate size of a message in memory, in bytes. */
function sizeOf({ url = "", rawHeaders }: IncomingMessage): number {
  const start = 3_000 + url.length;
  return rawHeaders.reduce((sum, { length }) => sum + 64 + length, start);
}
