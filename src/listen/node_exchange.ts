import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { after } from "../answer/after.ts";
import type { Answer } from "../answer/answer.ts";
import { judgeHost } from "../answer/host.ts";
import { BAD_FRAMING, BAD_HOST } from "../answer/replies.ts";
import type { Reply } from "../answer/reply.ts";
import type { AnswerRequest } from "../answer/request.ts";

/** Gives an answer its requests from `node:http`; `refusal` is what the host has against one. */
export function toListener(
  { answer, refuse }: Answer,
): (
  message: IncomingMessage,
  response: ServerResponse,
  refusal?: Reply,
) => void {
  return (message, response, refusal) => {
    const request = new NodeRequest(message);
    let refused = judgeFraming(message, request);
    // A bad Host comes before what the host has to say.
    if (!refused && refusal) refused = judgeHost(request) ?? refusal;
    if (refused) response.shouldKeepAlive = false;
    after(
      refused ? refuse(refused, request) : answer(request),
      (reply) => write(message, response, reply),
    );
  };
}

/** How long, in milliseconds, a body that nobody asked for may go on before it is cut. */
const LINGER = 1_000;

function write(
  message: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
): void {
  // The host may have answered by itself, or the client may be gone.
  if (response.headersSent || response.destroyed) return;
  const isLong = hasLongBody(message);
  if (isLong) response.shouldKeepAlive = false;
  response.writeHead(reply.status, reply.headers);
  if (!isLong) {
    end(response, reply);
    return;
  }
  // To close while the client still sends could take the answer from it: it is
  // sent whole, and the connection ends when the body does.
  response.flushHeaders();
  if (reply.body !== undefined) response.write(reply.body);
  const timer = setTimeout(stop, LINGER);
  function stop(): void {
    clearTimeout(timer);
    response.end();
  }
  message.once("end", stop).once("close", stop).resume();
}

/** Up to how many bytes a body goes out with its header in one piece. */
const SHORT = 4_096;

/** The bodies of replies that are given again, a character a byte. */
const texts = new WeakMap<Reply, string>();

/** Ends a response. Node sends header and text at once, header and bytes as two pieces, which costs more while they are short. */
function end(response: ServerResponse, reply: Reply): void {
  const { body } = reply;
  if (!(body instanceof Uint8Array) || body.byteLength > SHORT) {
    response.end(body);
    return;
  }
  let text = texts.get(reply);
  if (text === undefined) {
    const { buffer, byteOffset, byteLength } = body;
    text = Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
    texts.set(reply, text);
  }
  response.end(text, "latin1");
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
    this.#isRepeated = hasRepeated(message.rawHeaders);
  }

  get scheme(): "http" | "https" {
    return "encrypted" in this.#message.socket ? "https" : "http";
  }

  header(name: string): string | undefined {
    const { headers, rawHeaders } = this.#message;
    return this.#isRepeated && (name === "authorization" || name === "host")
      ? joinFields(rawHeaders, name)
      : headers[name] as string | undefined;
  }
}

/** Whether Host or Authorization came twice, of which `headers` keeps the first. */
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

/** What `node:http` lets through, though it makes the connection unsafe to go on with. */
function judgeFraming(
  message: IncomingMessage,
  request: AnswerRequest,
): Reply | undefined {
  const host = request.header("host");
  if (
    host === undefined ? message.httpVersion === "1.1" : host.includes(", ")
  ) {
    return BAD_HOST;
  }
  const coding = message.headers["transfer-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "chunked") {
    return BAD_FRAMING;
  }
  return undefined;
}

/** The most bytes of a body that are read, unasked for, to keep a connection. */
const MAX_UNREAD = 64 * 1024;

function hasLongBody({ headers, complete }: IncomingMessage): boolean {
  return !complete && (
    headers["transfer-encoding"] !== undefined ||
    Number(headers["content-length"] ?? 0) > MAX_UNREAD ||
    (headers.expect !== undefined && headers["content-length"] !== undefined)
  );
}
