import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isPromised, type Promised } from "../answer/after.ts";
import type { Answer } from "../answer/answer.ts";
import { judgeHost } from "../answer/host.ts";
import { BAD_FRAMING, BAD_HOST } from "../answer/replies.ts";
import type { Reply } from "../answer/reply.ts";
import type { AnswerRequest } from "../answer/request.ts";

/**
 * Gives an answer its requests from `node:http`; `refusal` is what the host has
 * against one. What is promised is resolved once the response is written: some
 * hosts end a response whose listener has returned.
 *
 * @param bodySize The most bytes of a body that are read, unasked for, to keep
 * the connection.
 */
export function toListener(
  { answer, refuse }: Answer,
  bodySize: number,
): (
  message: IncomingMessage,
  response: ServerResponse,
  refusal?: Reply,
) => Promised<void> {
  return (message, response, refusal) => {
    const request = new NodeRequest(message);
    const { headers } = message;
    const isLong = (headers["transfer-encoding"] !== undefined ||
      headers["content-length"] !== undefined) &&
      hasLongBody(message, bodySize);
    // A bad Host comes before what the host has to say.
    const refused = judgeMessage(message, request) ??
      (refusal && (judgeHost(request) ?? refusal));
    if (refused || isLong) response.shouldKeepAlive = false;
    const reply = refused ? refuse(refused, request) : answer(request);
    return isPromised(reply)
      ? reply.then((reply) => write(message, response, reply, isLong))
      : write(message, response, reply, isLong);
  };
}

/** How long, in milliseconds, a body that nobody asked for may go on before it is cut. */
const LINGER = 1_000;

function write(
  message: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  isLong: boolean,
): Promised<void> {
  // The host may have answered by itself, or the client may be gone.
  if (response.headersSent || response.destroyed) return;
  const { fields, body } = prepare(reply);
  response.writeHead(reply.status, fields);
  if (!isLong) {
    response.end(body, "latin1");
    return;
  }
  // To close while the client still sends could take the answer from it: it is
  // sent whole, and the connection ends when the body does.
  response.flushHeaders();
  if (body !== undefined) response.write(body, "latin1");
  const timer = setTimeout(stop, LINGER);
  function stop(): void {
    clearTimeout(timer);
    response.end();
  }
  message.once("end", stop).once("close", stop).resume();
  return new Promise((resolve) => response.once("close", resolve));
}

/** A reply as `node:http` sends it fastest. */
interface Prepared {
  /** The names and values of the fields in turn. */
  readonly fields: string[];
  /** Bytes, or text of which each character is a byte. */
  readonly body: string | Uint8Array | undefined;
}

/** Replies are given again and again. */
const prepared = new WeakMap<Reply, Prepared>();

/** Up to how many bytes a body goes out as text, in one piece with its header; more cost less as bytes. */
const SHORT = 4_096;

function prepare(reply: Reply): Prepared {
  let found = prepared.get(reply);
  if (!found) {
    const { headers, body } = reply;
    const bytes = body === undefined ? undefined : toBuffer(body);
    found = {
      fields: Object.entries(headers).flat(),
      body: bytes && bytes.length <= SHORT ? bytes.toString("latin1") : bytes,
    };
    prepared.set(reply, found);
  }
  return found;
}

function toBuffer(body: string | Uint8Array): Buffer {
  return typeof body === "string"
    ? Buffer.from(body)
    : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** A request of `node:http`, as the answer asks for it. */
export class NodeRequest implements AnswerRequest {
  readonly method: string;
  readonly target: string;
  readonly #message: IncomingMessage;
  readonly #isRepeated: boolean;

  constructor(message: IncomingMessage) {
    const { originalUrl, url = "" } = message as
      & { originalUrl?: string }
      & typeof message;
    this.method = message.method ?? "";
    this.target = originalUrl ?? url;
    this.#message = message;
    // A server that joins fields has done so for all.
    const { joinDuplicateHeaders } = message as
      & { joinDuplicateHeaders?: boolean }
      & typeof message;
    this.#isRepeated = !joinDuplicateHeaders &&
      hasRepeated(message.rawHeaders ?? []); // what stands in for a message in tests may have none
  }

  get scheme(): "http" | "https" {
    return "encrypted" in this.#message.socket ? "https" : "http";
  }

  header(name: string): string | undefined {
    if (this.#isRepeated && (name === "authorization" || name === "host")) {
      return joinFields(this.#message.rawHeaders, name);
    }
    const { headers } = this.#message;
    // HTTP/2 has a pseudo-header in the place of Host (RFC 9113 section 8.3.1).
    return (headers[name] ??
      (name === "host" ? headers[":authority"] : undefined)) as
        | string
        | undefined;
  }
}

/** Whether Host or Authorization came more than once. */
function hasRepeated(raw: readonly string[]): boolean {
  let hosts = 0, authorizations = 0;
  for (let at = 0; at < raw.length; at += 2) {
    const field = raw[at]!;
    // The usual spelling first: to lower the case of each costs more than the rest.
    if (field.length === 4) {
      if (field === "Host" || field.toLowerCase() === "host") hosts++;
    } else if (field.length === 13) {
      if (
        field === "Authorization" || field.toLowerCase() === "authorization"
      ) authorizations++;
    }
  }
  return hosts > 1 || authorizations > 1;
}

/** All values of a field, joined as the Fetch standard joins them. */
function joinFields(raw: readonly string[], name: string): string {
  const values: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]!.toLowerCase() === name) values.push(raw[at + 1]!);
  }
  return values.join(", ");
}

/**
 * Rejects what `node:http` accepts although no further request on the connection
 * can be trusted: a missing or repeated Host, and an unknown transfer coding.
 */
export function judgeMessage(
  { httpVersionMinor, headers }: IncomingMessage,
  request: AnswerRequest,
): Reply | undefined {
  const host = request.header("host");
  if (host === undefined ? httpVersionMinor > 0 : host.includes(", ")) {
    return BAD_HOST;
  }
  const coding = headers["transfer-encoding"]?.toLowerCase() ?? "chunked";
  return coding === "chunked" ? undefined : BAD_FRAMING;
}

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
