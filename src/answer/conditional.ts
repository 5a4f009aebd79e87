import { ifNoneMatch } from "@std/http/etag";
import { STATUS_CODE } from "@std/http/status";
import type { Reply } from "./reply.ts";

/** The 304s of replies that are given again and again. */
const notModified = new WeakMap<Reply, Reply>();

/**
 * The reply, or word that the client has it already (RFC 9110 section 13.1.2).
 *
 * @param known The value of If-None-Match.
 */
export function conditional(reply: Reply, known: string | undefined): Reply {
  const etag = reply.headers["ETag"];
  if (known === undefined || etag === undefined) return reply;
  // Long runs of spaces would take ifNoneMatch time that grows with their square.
  if (ifNoneMatch(known.replace(/[ \t]+/g, " "), etag)) return reply;
  let same = notModified.get(reply);
  if (!same) {
    const { "Content-Type": _type, "Content-Length": _length, ...headers } =
      reply.headers;
    same = { status: STATUS_CODE.NotModified, headers };
    notModified.set(reply, same);
  }
  return same;
}
