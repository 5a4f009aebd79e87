import { quote } from "../core/internal/quote.ts";
import type { CaseRequest, CaseResponse } from "./case.ts";

/** A response, and the number of characters that it takes in a text. */
export interface ParsedResponse extends CaseResponse {
  readonly size: number;
  /** Whether another response to the same request follows. */
  readonly isInterim?: boolean;
}

/** A header. The only control character of its value is the tab. */
const HEADER = /^([\w!#$%&'*+.^`|~-]+):([\t\x20-\x7e\x80-\xff]*)$/;

/**
 * Parses the first response in a text. Returns `undefined` if it is not complete.
 *
 * @param text What a connection received, one character per byte.
 * @param hasEnded Whether the connection has ended.
 * @throws {Error} If the text is not an HTTP response.
 */
export function parseResponse(
  text: string,
  request: Pick<CaseRequest, "method">,
  hasEnded: boolean,
): ParsedResponse | undefined {
  const [head = ""] = text.split("\r\n\r\n", 1);
  const start = head.length + 4;
  const isIncomplete = text.length < start;
  const [line = "", ...lines] = head.split("\r\n");
  if (/^HTTP.*\n/.test(line)) throw new Error("lines end with LF, not CRLF");
  if (isIncomplete && !hasEnded) return undefined;
  const [, code] = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(line) ?? [];
  if (code === undefined) throw new Error(`not HTTP: ${quote(line)}`);
  const status = Number(code);
  const headers = new Headers();
  try {
    for (const each of lines) {
      const [, name, value] = HEADER.exec(each) ?? [];
      if (!name) throw new SyntaxError(`invalid header ${quote(each)}`);
      headers.append(name, value!);
    }
    const rest = text.slice(start);
    const isInterim = status < 200 && status !== 101;
    const isEmpty = request.method === "HEAD" || isInterim ||
      [101, 204, 304].includes(status);
    const content = isEmpty
      ? { body: "", size: 0 }
      : readBody(rest, headers, hasEnded);
    if (content && !isIncomplete) {
      const { body, size } = content;
      const bytes = new Uint8Array(body.length);
      for (let at = 0; at < body.length; at++) bytes[at] = body.charCodeAt(at);
      const found = { status, headers, body: decode(bytes) };
      return { ...found, size: start + size, isInterim };
    }
    if (!hasEnded) return undefined;
    throw new SyntaxError(
      "the connection closed before the end of the response",
    );
  } catch (error) {
    const { message: problem } = error as Error;
    return { status, headers, body: "", problem, size: text.length };
  }
}

/** Reads the body at the start of a text. Returns `undefined` if it is not complete. */
function readBody(
  text: string,
  headers: Headers,
  hasEnded: boolean,
): { readonly body: string; readonly size: number } | undefined {
  const length = headers.get("content-length");
  const isChunked = /\bchunked$/i.test(headers.get("transfer-encoding") ?? "");
  if (length === null && !isChunked) {
    return hasEnded ? { body: text, size: text.length } : undefined;
  }
  if (length !== null) {
    if (isChunked || !/^\d+$/.test(length)) {
      throw new SyntaxError(`invalid Content-Length ${quote(length)}`);
    }
    const size = Number(length);
    const body = text.slice(0, size);
    return body.length === size ? { body, size } : undefined;
  }
  let body = "";
  for (let start = 0;;) {
    const end = text.indexOf("\r\n", start);
    if (end === -1) return undefined;
    const line = text.slice(start, end);
    if (!/^[\da-f]+(?:[ \t]*;.*)?$/i.test(line)) {
      throw new SyntaxError(`invalid chunk size ${quote(line)}`);
    }
    const length = parseInt(line, 16);
    if (length === 0) {
      // An empty line ends the trailers, or follows if there are none.
      const size = text.indexOf("\r\n\r\n", end) + 4;
      return size < 4 ? undefined : { body, size };
    }
    start = end + 2 + length + 2;
    if (!"\r\n".startsWith(text.slice(start - 2, start))) {
      throw new SyntaxError("a chunk does not end with CRLF");
    }
    body += text.slice(end + 2, start - 2);
  }
}

/** Explains what follows a response on a connection, if there is something. */
export function explainRest(
  rest: string,
  { method, content }: CaseRequest,
): string | undefined {
  if (rest === "") return undefined;
  if (rest.startsWith("HTTP/1.")) {
    return content
      ? "the body was read as a request"
      : "a second response to the same request";
  }
  const cause = method === "HEAD"
    ? "a response to HEAD has no body"
    : "Content-Length counts bytes, not characters";
  return `${rest.length} bytes after the end of the body; ${cause}`;
}

/** Decodes a body. */
export function decode(body: ArrayBuffer | Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
}
