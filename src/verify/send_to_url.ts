import type { CaseRequest, CaseResponse, Send } from "./case.ts";
import { explainRest, parseResponse } from "./parse_response.ts";

/** The maximum size of what a connection receives, in bytes. */
const MAX_BYTES = 1_000_000;

/** How long a server can keep a connection open after the last response, in milliseconds. */
const PATIENCE = 50;

/** The pause within a request, in milliseconds. */
const PAUSE = 50;

/**
 * Returns a function that sends requests to a server exactly as they are, without
 * following redirects.
 *
 * @param url The URL of the server. Its path is ignored.
 */
export async function createUrlSender(
  { protocol, hostname, port, host }: URL,
): Promise<Send> {
  const isSecure = protocol === "https:";
  // A computed name, because bundlers for browsers cannot resolve `node:` modules.
  const name = `node:${isSecure ? "tls" : "net"}`;
  const { connect }: typeof import("node:tls") = await import(
    /* webpackIgnore: true */ name
  );
  const address = {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || (isSecure ? 443 : 80)),
    ...!/^[\d.]+$|:/.test(hostname) && { servername: hostname },
  };
  const send: Send = async (request, signal, before) => {
    const socket = connect(address).setEncoding("latin1");
    signal.addEventListener("abort", () => socket.destroy());
    socket.on("error", () => {}); // the iterator throws it
    const chunks = socket[Symbol.asyncIterator]();
    let received = "";

    /** Reads until a connection ends, or until the response if another request follows. */
    async function exchange(
      request: CaseRequest,
      isLast: boolean,
    ): Promise<CaseResponse> {
      const text = toText(request, host, isLast);
      const end = text.lastIndexOf(request.pauseBefore ?? "");
      socket.write(text.slice(0, end), "latin1");
      if (end < text.length) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
        socket.write(text.slice(end), "latin1");
      }
      for (;;) {
        const { done = false, value = "" } = await chunks.next()
          .catch((error) => {
            if (received === "" || signal.aborted) throw error;
            return { done: true, value: "" };
          });
        received += value;
        if (received.length > MAX_BYTES) {
          throw new RangeError("the response exceeds 1 MB");
        }
        if (done && received === "") throw new Error("the connection closed");
        let response = parseResponse(received, request, done);
        while (response?.isInterim) {
          received = received.slice(response.size);
          response = parseResponse(received, request, done);
        }
        if (response && (done || !isLast)) {
          const { size, ...others } = response;
          received = received.slice(size);
          const problem = explainRest(received, request);
          return { ...problem && { problem }, ...others };
        }
        if (response) setTimeout(() => socket.destroy(), PATIENCE);
      }
    }

    try {
      if (before) {
        const response = await exchange(before, false);
        if (response.problem !== undefined) return response;
      }
      return await exchange(request, true).catch((error) => {
        // A server can close a connection after any response.
        if (!before || received !== "" || signal.aborted) throw error;
        return send(request, signal);
      });
    } finally {
      socket.destroy();
    }
  };
  return send;
}

/** Returns a request as a server receives it, one character per byte. */
function toText(
  { method, target, headers, content = "", ...rest }: CaseRequest,
  host: string,
  isLast: boolean,
): string {
  const has = (expected: string) => headers.some(([name]) => name === expected);
  const isChunked = has("Transfer-Encoding");
  // Some servers require a length with these methods.
  const needsLength = content !== "" || /^(?:POST|PUT|PATCH)$/.test(method);
  const hasLength = isChunked || has("Content-Length");
  const chunk = content &&
    `${content.length.toString(16)}\r\n${content}\r\n`;
  const trailer = rest.trailer ? "X-Trailer: 1\r\n" : "";
  return [
    `${method} ${target} HTTP/1.1`,
    ...rest.withoutHost || has("Host") ? [] : [`Host: ${host}`],
    ...headers.map((header) => header.join(": ")),
    ...needsLength && !hasLength ? [`Content-Length: ${content.length}`] : [],
    `Connection: ${isLast ? "close" : "keep-alive"}`,
    "",
    isChunked ? `${chunk}0\r\n${trailer}\r\n` : content,
  ].join("\r\n");
}
