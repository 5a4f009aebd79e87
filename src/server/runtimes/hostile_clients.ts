import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers"; // jsdom replaces the global ones
import { STATUS_TEXT, type StatusCode } from "@std/http/status";
import { createError, type ServiceResponse } from "../../core/http/response.ts";
import type { Limits } from "./defaults.ts";
import { type Connection, headersTooLarge, malformed } from "./node_adapter.ts";

// Handles clients that read too slowly, send too much, or send malformed HTTP.

/** How long a client can pause while it sends after the last response, in milliseconds. */
const LINGER_MS = 5_000;

/** The responses to errors that `node:http` detects, by the code of the error. */
const CLIENT_ERRORS: Readonly<Record<string, ServiceResponse>> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: createError(
    408,
    "Request timed out; send it again",
  ),
};

/** A connection of a server that this project starts. */
export interface ServerConnection extends Connection {
  /** The approximate size in memory of the requests that wait for earlier responses, in bytes. */
  queuedBytes: number;
}

/**
 * Resets the connection of a client that does not read a response in time. (The timeout
 * of a socket starts again when the client sends, or when the system buffers a part.)
 *
 * @returns The timer, which starts again with `refresh`.
 */
export function limitReading(
  response: ServerResponse,
  socket: Socket,
  { sendTimeout }: Limits,
): NodeJS.Timeout {
  const timer = setTimeout(() => socket.resetAndDestroy(), sendTimeout);
  response.once("close", () => clearTimeout(timer));
  return timer;
}

/**
 * Ends a connection in stages (RFC 9112 section 9.6). Destroying it while the client
 * is sending would reset it, and the client could lose the last response.
 */
export function endInStages(
  socket: Socket,
  { requestTimeout }: Limits,
  text = "",
): void {
  if (!socket.writable) return;
  discardInput(socket);
  socket.end(text, () => {
    socket.setTimeout(LINGER_MS);
    setTimeout(() => socket.destroy(), requestTimeout).unref();
  });
}

/** Rejects malformed HTTP, after the responses to the requests before it. */
export function rejectMalformed(
  { code = "" }: NodeJS.ErrnoException,
  socket: Socket,
  connection: ServerConnection,
  common: readonly string[],
  limits: Limits,
): void {
  discardInput(socket); // otherwise, Node.js would emit an error for each packet
  const found = CLIENT_ERRORS[code] ?? malformed;
  const headers = [...found.headers, ...common];
  const text = formatResponse({ ...found, headers });
  const reject = () => endInStages(socket, limits, text);
  // After this event, Node.js ends the connection if the client has half-closed it.
  if (connection.last?.writableFinished !== false) reject();
  else connection.last.prependOnceListener("finish", reject);
}

/**
 * Ignores all later requests. Node.js parses a whole read at once, and would keep a
 * message and a response for each of 2,500 requests. It has no documented way to stop;
 * without the undocumented one, a connection with too many requests is destroyed.
 */
export function ignoreRequests(socket: Socket, isFull: boolean): void {
  discardInput(socket);
  const { parser } = socket as {
    parser?: { onIncoming?: (message: { upgrade: boolean }) => number };
  };
  if (parser?.onIncoming) {
    parser.onIncoming = (message) => {
      message.upgrade = false; // otherwise, Node.js removes its listeners
      return 2; // nothing more is parsed, as after an upgrade
    };
  } else if (isFull) socket.destroy();
}

/** Discards what a client still sends. Node.js would parse and keep the requests. */
function discardInput(socket: Socket): void {
  socket.removeAllListeners("data").on("data", () => {});
}

/** Formats a response that closes its connection, for servers that cannot send it otherwise. */
function formatResponse(
  { status, headers, body = "" }: ServiceResponse,
): string {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_TEXT[status as StatusCode]}`,
    `Date: ${new Date().toUTCString()}`,
    "Connection: close",
  ];
  for (let at = 0; at < headers.length; at += 2) {
    lines.push(`${headers[at]}: ${headers[at + 1]}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}
