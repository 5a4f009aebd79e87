import { readBearer } from "./bearer.ts";
import { parseTarget } from "./path.ts";
import type { Reply } from "./reply.ts";
import type { AnswerRequest } from "./request.ts";

/** A reply, as a log may show it: neither query nor header, so no token. */
export interface ReplyEvent {
  /** The id of the request, which the client is told in `X-Request-Id`. */
  readonly requestId: string;
  /** The method of the request. */
  readonly method: string;
  /** The path of the request, in its canonical form; what may be a token is left out of it. */
  readonly path: string;
  /** The status of the reply. */
  readonly status: number;
  /** The user whose token was sent, where it is valid. */
  readonly user?: string;
  /** The length of the body that is sent. */
  readonly bytes: number;
  /** How long the reply took to make, in milliseconds. */
  readonly duration: number;
}

/** The field that carries the id of a request, there and back. */
export const REQUEST_ID = "X-Request-Id";

/** Tells of replies. */
export interface Events {
  /** Says whom the request comes from. */
  identify(request: AnswerRequest, user: string): void;
  /** Tells of a reply that took since `start` to make, and gives it the id of its request. */
  tell(request: AnswerRequest, reply: Reply, start: number): Reply;
}

/**
 * Creates what tells `onReply` of replies.
 *
 * @param report Is given what `onReply` throws.
 */
export function createEvents(
  onReply: (event: ReplyEvent) => void,
  report: (error: unknown) => void,
): Events {
  const users = new WeakMap<AnswerRequest, string>();
  return {
    identify: (request, user) => void users.set(request, user),
    tell(request, reply, start) {
      const requestId = readRequestId(request);
      const user = users.get(request);
      try {
        onReply({
          requestId,
          method: hideTokens(request.method),
          path: hideTokens(parseTarget(request.target).path),
          status: reply.status,
          ...user !== undefined && { user },
          bytes: request.method === "HEAD" ? 0 : measure(reply.body),
          duration: performance.now() - start,
        });
      } catch (error) {
        report(error);
      }
      return {
        ...reply,
        headers: { ...reply.headers, [REQUEST_ID]: requestId },
      };
    },
  };
}

/** What `plant-store token add` makes, or the digest of a token. */
const SECRET = /ps_[\w-]{43}|^[0-9a-f]{64}$/i;

/** The id that the client or a proxy gave the request, unless it may be a token; else a new one. */
function readRequestId(request: AnswerRequest): string {
  const id = request.header("x-request-id") ?? "";
  return /^[\w.-]{1,64}$/.test(id) && !SECRET.test(id) &&
      id !== readBearer(request.header("authorization"))
    ? id
    : crypto.randomUUID();
}

/** What a client sent, without what is as long as a token. */
function hideTokens(text: string): string {
  return text.replace(/[\w~+=.-]{32,}/g, "...");
}

function measure(body: Reply["body"]): number {
  if (typeof body !== "string") return body?.byteLength ?? 0;
  return new TextEncoder().encode(body).byteLength;
}
