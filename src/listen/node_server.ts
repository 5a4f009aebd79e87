import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { STATUS_TEXT, type StatusCode } from "@std/http/status";
import { after, type Promised } from "../answer/after.ts";
import { createAnswer } from "../answer/answer.ts";
import {
  EXPECTATION_FAILED,
  HEADERS_TOO_LARGE,
  MALFORMED,
  TIMEOUT,
} from "../answer/replies.ts";
import type { Reply } from "../answer/reply.ts";
import { FAREWELL, type Listen } from "./listen.ts";
import { NodeRequest, toListener } from "./node_exchange.ts";

/** How long a client may keep sending after the last response, in milliseconds. */
const LINGER = 1_000;

/**
 * How many requests of a connection may wait for their answers to be sent. One
 * that brings more would have the process for itself: it is not read from until
 * all are sent, and some milliseconds more.
 */
const MAX_PIPELINED = 100, BREAK = 100;

/** A request and its response. */
interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** How many came before it without a pause, none of them sent yet. */
  readonly waiting: number;
}

/** Listens on `node:http`. */
export const listen: Listen = async (store, options) => {
  const { answer, refuse } = createAnswer(store, options);
  const { limits } = options;
  const respond = toListener({ answer, refuse }, limits.bodySize);
  /** The connections, each with its last exchange. */
  const connections = new Map<Socket, Exchange | undefined>();
  const refused = new WeakSet<Socket>();
  let draining = false;

  const server = createServer({
    maxHeaderSize: limits.headerSize,
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    connectionsCheckingInterval: 1_000, // at half a minute, a timeout of seconds is none
    keepAliveTimeout: limits.keepAliveTimeout,
    requireHostHeader: false, // Node's own refusal has no body
    joinDuplicateHeaders: true, // it would keep the first one alone
  });
  server.maxConnections = limits.connections;
  server.maxHeadersCount = 0; // fields beyond a number would be dropped unseen; their size is bounded

  server.on("connection", (socket: Socket) => {
    connections.set(socket, undefined);
    socket.on("close", () => connections.delete(socket));
    socket.destroySoon = () => closeInStages(socket); // called after the last response
  });

  /** Ends a connection after this exchange, unless another one has begun on it. */
  function makeLast(socket: Socket, exchange: Exchange): void {
    const { response } = exchange;
    // Who has not been told that it is the last gets a moment to ask once more.
    const moment = response.headersSent ? FAREWELL : 0;
    response.shouldKeepAlive = false;
    response.on("close", () => {
      setTimeout(() => {
        if (connections.get(socket) === exchange) socket.destroySoon();
      }, moment);
    });
  }

  /** Reads no more of a connection until this exchange is over, if it is the last by then, and a while. */
  function pause(socket: Socket, exchange: Exchange): void {
    socket.pause();
    socket.resume = () => socket; // Node resumes it for each request
    exchange.response.on("close", () => {
      if (connections.get(socket) !== exchange) return;
      setTimeout(() => {
        Reflect.deleteProperty(socket, "resume");
        socket.resume();
      }, BREAK).unref();
    });
  }

  function onRequest(
    message: IncomingMessage,
    response: ServerResponse,
    refusal?: Reply,
  ): void {
    const { socket, httpVersionMajor } = message;
    const last = connections.get(socket);
    const waiting = isUnderWay(last) ? last.waiting + 1 : 0;
    const exchange = { message, response, waiting };
    connections.set(socket, exchange);
    if (waiting >= MAX_PIPELINED) pause(socket, exchange);
    if (draining) makeLast(socket, exchange);
    // What follows an upgrade that is not made is never parsed.
    if (isUpgrade(message)) response.shouldKeepAlive = false;
    respond(message, response, httpVersionMajor === 1 ? refusal : MALFORMED);
  }
  server.on("request", onRequest);
  // No body is ever read: the answer is given at once, and nobody is told to send one.
  server.on("checkContinue", onRequest);
  server.on("checkExpectation", (message, response) => {
    onRequest(message, response, EXPECTATION_FAILED);
  });

  /** Ends a connection with a reply, after the answers that are under way on it. */
  function refuseConnection(
    socket: Socket,
    reply: () => Promised<Reply | undefined>,
  ): void {
    if (refused.has(socket)) return;
    refused.add(socket);
    socket.on("error", () => socket.destroy()); // after CONNECT nobody else listens
    const last = connections.get(socket);
    const end = () => after(reply(), (reply) => endSocket(socket, reply));
    if (isUnderWay(last)) last.response.on("close", end);
    else end();
  }
  server.on("connect", (message, duplex) => {
    refuseConnection(duplex as Socket, () => answer(new NodeRequest(message)));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    // What follows a request that is not complete is its body, not another request.
    const isBody = connections.get(socket)?.message.complete === false;
    refuseConnection(
      socket,
      () => isBody ? undefined : refuse(explain(error.code)),
    );
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
      draining = true;
      // `close` takes an answer for finished before all of it is sent.
      server.closeIdleConnections = () => {};
      const closed = new Promise((resolve) => server.close(resolve));
      for (const [socket, last] of connections) {
        if (isUnderWay(last)) makeLast(socket, last);
      }
      // It waits for each connection, and disarms the timeouts that would end a silent one.
      const farewell = setTimeout(() => {
        for (const [socket, last] of connections) {
          if (!isUnderWay(last)) socket.destroy();
        }
      }, FAREWELL);
      const timer = setTimeout(() => server.closeAllConnections(), deadline);
      await closed;
      clearTimeout(farewell);
      clearTimeout(timer);
    },
  };
};

function explain(code: string | undefined): Reply {
  if (code === "HPE_HEADER_OVERFLOW") return HEADERS_TOO_LARGE;
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return TIMEOUT;
  return MALFORMED;
}

function isUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined &&
    /\bupgrade\b/i.test(headers.connection ?? "");
}

function isUnderWay(exchange: Exchange | undefined): exchange is Exchange {
  return exchange !== undefined && !exchange.response.closed;
}

/** Ends a connection on which no response can be made, with a reply if there is one. */
function endSocket(socket: Socket, reply: Reply | undefined): void {
  if (socket.writable && reply) {
    const { status, headers, body } = reply;
    const fields = Object.entries({
      Date: new Date().toUTCString(),
      ...headers,
      Connection: "close",
    });
    const head = [
      `HTTP/1.1 ${status} ${STATUS_TEXT[status as StatusCode]}`,
      ...fields.map(([name, value]) => `${name}: ${value}`),
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  }
  socket.destroySoon();
}

/**
 * Closes a connection in stages (RFC 9112 section 9.6): a connection that is
 * closed while the client still sends is reset, and the client can lose the
 * last response.
 */
function closeInStages(socket: Socket): void {
  socket.end();
  socket.removeAllListeners("data").on("data", () => {}).resume(); // discards without parsing
  const timer = setTimeout(() => socket.destroy(), LINGER).unref();
  socket.on("close", () => clearTimeout(timer));
}
