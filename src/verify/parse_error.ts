import { quote } from "../core/internal/quote.ts";
import type { CaseRequest, CaseResponse } from "./case.ts";

/** An error of Node.js, which has a packet if it is about a response. */
export interface ReceiveError extends Error {
  readonly code?: string;
  readonly reason?: string;
  readonly rawPacket?: Uint8Array;
  readonly bytesParsed?: number;
}

/**
 * Explains why a response cannot be parsed. Returns nothing if it is no HTTP response.
 *
 * @param head The status and the headers, if they could be parsed.
 */
export function explainParseError(
  { code = "", reason = "", ...error }: ReceiveError,
  { method }: CaseRequest,
  head: CaseResponse | undefined,
): string | undefined {
  if (head && code === "ECONNRESET") {
    return "the connection closed before the end of the body";
  }
  const { rawPacket = new Uint8Array(), bytesParsed = 0 } = error;
  const isClosed = code === "HPE_CLOSED_CONNECTION";
  if (isClosed || code === "HPE_INVALID_CONSTANT") {
    if (!head) return undefined;
    // If the connection closes, Node.js counts the first byte as parsed.
    const count = rawPacket.length - bytesParsed + (isClosed ? 1 : 0);
    const cause = method === "HEAD"
      ? "a response to HEAD has no body"
      : head.status === 204 || head.status === 304
      ? `a response with status ${head.status} has no body`
      : "Content-Length counts bytes, not characters";
    return `${count} bytes after the end of the body; ${cause}`;
  }
  if (!code.startsWith("HPE_")) return undefined;
  const decoder = new TextDecoder("latin1");
  const before = decoder.decode(rawPacket.subarray(0, bytesParsed));
  const after = decoder.decode(rawPacket.subarray(bytesParsed));
  const line = before.slice(before.lastIndexOf("\n") + 1) +
    /^.*/.exec(after)![0];
  return `${reason} in ${quote(line)}`;
}
