import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { STATUS_TEXT } from "@std/http/status";
import { createAnswer } from "../answer/answer.ts";
import {
  EXPECTATION_FAILED,
  HEADERS_TOO_LARGE,
  MALFORMED,
  METHOD_NOT_ALLOWED,
  TIMEOUT,
} from "../answer/replies.ts";
import type { Reply } from "../answer/reply.ts";
import type { Listen } from "./serve.ts";
import { toListener, toRequest, writeReply } from "./node.ts";

/** How long a client may take (Node's own defaults let a silent one stay for over a minute). */
const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
};

/** How long a refused client may take to read why and to close. */
const LINGER = 1_000;

/** Listens on `node:http`. */
export const listen: Listen = async (store, options) => {
  const answer = createAnswer(store, options);
  const respond = toListener(answer);
  /** The connections, each with the last response that is under way on it. */
  const connections = new Map<Socket, ServerResponse | undefined>();
  let draining = false;

  // The listener looks for Host itself: Node's own refusal has no body.
  const server = createServer({ ...TIMES, requireHostHeader: false });

  server.on("connection", (socket: Socket) => {
    connections.set(socket, undefined);
    socket.on("close", () => connections.delete(socket));
  });

  const onRequest: typeof respond = (request, response) => {
    const { socket } = request;
    connections.set(socket, response);
    response.on("close", () => {
      if (connections.get(socket) !== response) return;
      connections.set(socket, undefined);
      if (draining) socket.destroySoon();
    });
    if (draining) response.shouldKeepAlive = false;
    respond(request, response);
  };
  server.on("request", onRequest);
  // The answer never reads a body: it is given at once, and nobody is told to send one.
  server.on("checkContinue", onRequest);
  server.on("checkExpectation", (request, response) => {
    response.shouldKeepAlive = false;
    writeReply(response, answer.refuse(EXPECTATION_FAILED, toRequest(request)));
  });
  server.on("connect", (request, socket) => {
    const refusal = answer.refuse(METHOD_NOT_ALLOWED, toRequest(request));
    refuse(socket as Socket, refusal);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const reply = answer.refuse(explain(error.code), {
      header: () => undefined,
    });
    // Answers come in the order of their requests: those under way go first.
    const before = connections.get(socket as Socket);
    if (!before) refuse(socket as Socket, reply);
    else before.on("close", () => refuse(socket as Socket, reply));
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
      const closed = new Promise((resolve) => server.close(resolve));
      // `close` waits for each connection, and disarms the timeouts that would end a silent one.
      for (const [socket, response] of connections) {
        if (!response) socket.destroy();
        else response.shouldKeepAlive = false;
      }
      const timer = setTimeout(() => server.closeAllConnections(), deadline);
      await closed;
      clearTimeout(timer);
    },
  };
};

function explain(code: string | undefined): Reply {
  if (code === "HPE_HEADER_OVERFLOW") return HEADERS_TOO_LARGE;
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return TIMEOUT;
  return MALFORMED;
}

/** Writes a reply to a connection on which no response can be made, and ends it. */
function refuse(socket: Socket, { status, headers, body }: Reply): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const fields = Object.entries({
    Date: new Date().toUTCString(),
    ...headers,
    Connection: "close",
  });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_TEXT[status]}`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
  ];
  socket.on("error", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // To destroy it at once could take the reply from a client that still sends.
  setTimeout(() => socket.destroy(), LINGER).unref();
}
