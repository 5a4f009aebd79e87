import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { andThen, type MaybePromise } from "../../domain/maybe_promise.ts";
import { normalizeOrigin } from "../../http/host.ts";
import type { ServiceRequest } from "../../http/request.ts";
import type { ServiceResponse } from "../../http/response.ts";
import * as responses from "../../http/responses.ts";
import type { Service } from "../../http/service.ts";
import { ORIGIN } from "../../http/target.ts";

/** The maximum number of requests on a connection that wait for earlier responses. */
const MAX_WAITING = 10;

/** The maximum number of headers. Many short ones take 10 times as much memory as their text. */
export const MAX_HEADERS = 200;

/** A message, with properties that Node's types omit or that HTTP/2 and frameworks such as Express add. */
type Message = IncomingMessage & {
  readonly originalUrl?: string;
  readonly joinDuplicateHeaders?: boolean;
  readonly stream?: unknown;
};

/** Responds to a message. For an asynchronous response, returns a promise that resolves when it is sent. */
export type Respond = (
  message: Message,
  response: ServerResponse,
) => MaybePromise<void>;

/**
 * Connects a service to `node:http`. Requests on a connection are processed one at a
 * time, so nothing is processed after a response that closes the connection (RFC 9112
 * section 9.6), or after the client has disconnected.
 *
 * @param send Sends a response. The host may have sent another one.
 */
export function createNodeExchange(
  service: Service,
  send: (response: ServerResponse, found: ServiceResponse) => void,
): Respond {
  /** The number of requests that wait or follow the last response, by connection. */
  const waiting = new WeakMap<Socket, number>();

  function respond(
    message: Message,
    response: ServerResponse,
  ): MaybePromise<void> {
    if (response.writableEnded) return; // by the host
    // Node.js assigns the socket to one response at a time.
    if (response.socket === null || message.socket.writable === false) {
      return wait(message, response);
    }
    const request = new NodeRequest(message, response);
    // Node.js ignores what it has read after an upgrade that is declined.
    if (request.rejection || message.headers.upgrade !== undefined) {
      response.shouldKeepAlive = false;
    }
    // Otherwise, Node.js before 24 discards the empty body later, which takes 1.5 µs.
    // On HTTP/2, reading an empty body would keep the stream open.
    if (!message.stream && !hasBody(message)) message.read();
    return andThen(service.respond(request), (found) => send(response, found));
  }

  async function wait(
    message: Message,
    response: ServerResponse,
  ): Promise<void> {
    const { socket } = message;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_WAITING) return void socket.destroy();
    waiting.set(socket, count);
    if (socket.writable === false) return; // after the last response
    await new Promise((resolve) => {
      response.once("socket", () => setImmediate(resolve)); // after other clients
      message.once("close", resolve); // the client has disconnected
    });
    waiting.set(socket, waiting.get(socket)! - 1);
    if (response.socket) await respond(message, response);
  }

  return respond;
}

/** Whether a request has a body, even an empty one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined ||
    headers["transfer-encoding"] !== undefined;
}

/** A `node:http` request. */
export class NodeRequest implements ServiceRequest {
  readonly method: string;
  readonly target: string;
  readonly rejection: ServiceResponse | undefined;
  user?: string;
  readonly #message: Message;
  readonly #response: ServerResponse;
  #signal?: AbortSignal;

  constructor(message: Message, response: ServerResponse) {
    this.#message = message;
    this.#response = response;
    this.method = message.method ?? "";
    this.target = message.originalUrl ?? message.url ?? "";
    this.rejection = findRejection(message, this.header("host"));
  }

  get signal(): AbortSignal {
    if (this.#signal) return this.#signal;
    const controller = new AbortController();
    this.#response.once("close", () => controller.abort());
    return this.#signal = controller.signal;
  }

  header(name: string): string | undefined {
    return readHeader(this.#message, name);
  }

  origin(): string {
    const scheme = "encrypted" in this.#message.socket ? "https" : "http";
    const origin = `${scheme}://${this.header("host") ?? ""}`;
    return normalizeOrigin(ORIGIN.test(this.target) ? this.target : origin);
  }
}

function readHeader(message: Message, name: string): string | undefined {
  const { headers, rawHeaders = [] } = message; // mock requests may have none
  const value = headers[name] as string | undefined;
  if (name !== "host" && name !== "authorization") return value;
  // HTTP/2 has a pseudo-header instead of Host (RFC 9113 section 8.3.1).
  const authority = headers[":authority"];
  if (authority && name === "host") return authority as string;
  if (message.joinDuplicateHeaders) return value;
  // By default, node:http keeps only the first value.
  const values = rawHeaders.filter((_, at) =>
    at % 2 === 1 && rawHeaders[at - 1]!.toLowerCase() === name
  );
  return values.length > 1 ? values.join(", ") : value;
}

/** Returns the response to a message that `node:http` accepts but that is invalid. */
function findRejection(
  message: Message,
  host: string | undefined,
): ServiceResponse | undefined {
  const { httpVersionMajor, httpVersionMinor, headers, stream } = message;
  if (message.rawHeaders?.length > 2 * MAX_HEADERS) {
    return responses.headersTooLarge;
  }
  const isOther = httpVersionMajor === 0 || httpVersionMajor > 1;
  if (isOther && !stream) return responses.malformed;
  const isModern = httpVersionMinor > 0;
  if (host === undefined ? isModern : host.includes(", ")) {
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
