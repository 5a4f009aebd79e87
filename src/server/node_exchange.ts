import type { IncomingMessage, ServerResponse } from "node:http";
import { isPromise, type MaybePromise } from "../domain/maybe_promise.ts";
import { normalizeOrigin } from "../http/host.ts";
import type { Rejection, ServiceRequest } from "../http/request.ts";
import type { ServiceResponse } from "../http/response.ts";
import type { Service } from "../http/service.ts";
import { ORIGIN } from "../http/target.ts";
import { closeInStages } from "./close.ts";

/** Responds to a message. For an asynchronous response, returns a promise that resolves when it is written. */
export type NodeExchange = (
  message: IncomingMessage,
  response: ServerResponse,
  rejection?: Rejection,
) => MaybePromise<void>;

/** Sends the body of a response after its headers are written. */
export type EndResponse = (
  response: ServerResponse,
  body: string | Uint8Array,
) => void;

/**
 * Connects a service to `node:http`.
 *
 * @param bodySize The maximum size, in bytes, of a body that is discarded to keep
 * the connection open.
 * @param end Sends the body of a response.
 */
export function createNodeExchange(
  { respond }: Service,
  bodySize: number,
  end: EndResponse,
): NodeExchange {
  function write(
    response: ServerResponse,
    { status, headers, body }: ServiceResponse,
  ): void {
    // A framework may have responded, or the client may have disconnected.
    if (response.headersSent || response.destroyed) return;
    response.writeHead(status, headers as string[]);
    if (body === undefined) response.end();
    else end(response, body);
  }

  return (message, response, rejection) => {
    const request = new NodeRequest(message, rejection, response);
    const isLong = request.hasBody && hasLongBody(message, bodySize);
    // Node.js closes some HTTP/1.0 connections but still parses their requests.
    const isOld = message.httpVersion === "1.0";
    // Node.js ignores `close` before a tab.
    const { connection } = message.headers;
    const isLast = connection !== undefined && CLOSE.test(connection);
    if (isLong || isOld || isLast || request.isUnsafe) {
      response.shouldKeepAlive = false;
    }
    if (isLong && message.httpVersionMajor === 1) closeInStages(message.socket);
    const found = respond(request);
    return isPromise(found)
      ? found.then((found) => write(response, found))
      : write(response, found);
  };
}

/** The option `close` in a Connection header (RFC 9110 section 7.6.1). */
const CLOSE = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;

function hasLongBody(
  { headers, complete }: IncomingMessage,
  bodySize: number,
): boolean {
  return !complete && (
    headers["transfer-encoding"] !== undefined ||
    Number(headers["content-length"]) > bodySize ||
    headers.expect !== undefined
  );
}

/** A message, with properties that Node's types omit or that frameworks such as Express add. */
type Message = IncomingMessage & {
  readonly originalUrl?: string;
  readonly joinDuplicateHeaders?: boolean;
};

/** A `node:http` request. */
export class NodeRequest implements ServiceRequest {
  readonly method: string;
  readonly target: string;
  readonly rejection: Rejection | undefined;
  /** Whether the request has a body. */
  readonly hasBody: boolean;
  /** Whether the connection is unsafe to reuse after the request. */
  readonly isUnsafe: boolean;
  declare user?: string;
  readonly #message: Message;
  readonly #response: ServerResponse | undefined;
  readonly #hasRepeated: boolean;

  constructor(
    message: Message,
    rejection?: Rejection,
    response?: ServerResponse,
  ) {
    const { method = "", url = "", originalUrl = url, headers } = message;
    this.#message = message;
    this.#response = response;
    this.#hasRepeated = !message.joinDuplicateHeaders &&
      hasRepeatedHeaders(message.rawHeaders ?? []); // mock requests may have none
    this.method = method;
    this.target = originalUrl.startsWith("/")
      ? originalUrl
      : originalUrl.replace(ORIGIN, "");
    const coding = headers["transfer-encoding"];
    this.hasBody = coding !== undefined ||
      headers["content-length"] !== undefined;
    const host = this.header("host");
    if (host === undefined && message.httpVersionMinor > 0) {
      rejection = "invalidHost";
    } else if (coding !== undefined && coding.toLowerCase() !== "chunked") {
      rejection = "invalidFraming"; // node:http accepts other codings
    }
    this.rejection = rejection;
    this.isUnsafe = rejection !== undefined || host?.includes(", ") === true;
  }

  get signal(): AbortSignal {
    const controller = new AbortController();
    this.#response?.once("close", () => controller.abort());
    return controller.signal;
  }

  get origin(): string {
    const { url = "", originalUrl = url, socket } = this.#message;
    const scheme = "encrypted" in socket ? "https" : "http";
    return normalizeOrigin(
      ORIGIN.exec(originalUrl)?.[0] ??
        `${scheme}://${this.header("host") ?? ""}`,
    );
  }

  header(name: string): string | undefined {
    const { headers, rawHeaders } = this.#message;
    if (this.#hasRepeated && (name === "authorization" || name === "host")) {
      return joinValues(rawHeaders, name);
    }
    // HTTP/2 has a pseudo-header instead of Host (RFC 9113 section 8.3.1).
    return (headers[name] ??
      (name === "host" ? headers[":authority"] : undefined)) as
        | string
        | undefined;
  }
}

/** Whether Host or Authorization is repeated. `node:http` keeps only the first value. */
function hasRepeatedHeaders(rawHeaders: readonly string[]): boolean {
  let hosts = 0, authorizations = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
    if (name.length === 13 && name.toLowerCase() === "authorization") {
      authorizations++;
    }
  }
  return hosts > 1 || authorizations > 1;
}

/** Joins the values of a header as the Fetch standard does. */
function joinValues(
  rawHeaders: readonly string[],
  name: string,
): string | undefined {
  const values = rawHeaders.filter((_, at) =>
    at % 2 === 1 && rawHeaders[at - 1]!.toLowerCase() === name
  );
  return values.length > 0 ? values.join(", ") : undefined;
}
