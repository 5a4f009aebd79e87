import type { CaseRequest, CaseResponse } from "./cases.ts";

/**
 * Sends a request and receives the response.
 *
 * @param signal Aborts the request.
 * @throws {Error} If there is no complete response.
 */
export type Send = (
  request: CaseRequest,
  signal: AbortSignal,
) => Promise<CaseResponse>;

/** A function that responds to requests, as in Deno, Bun, Workers, and Hono. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** The maximum size of a body, in bytes. */
const MAX_BYTES = 1_000_000;

/** Returns a function that passes requests to a handler. */
export function createHandlerSender(handler: FetchHandler): Send {
  return async (
    { method = "GET", target = "/plants", headers = [], content },
    signal,
  ) => {
    // Like the servers, uses the Host in the URL.
    const [, host = ""] = headers.find(([name]) => name === "Host") ?? [];
    const authority = /^[\w.-]+(?::\d+)?$/.test(host) ? host : "localhost";
    const url = /^https?:/.test(target)
      ? target
      : `http://${authority}${target === "*" ? "/*" : target}`;
    const body = content === undefined ? {} : { body: content };
    const request = new Request(url, { method, signal, ...body });
    // Deno's constructor would drop empty headers.
    for (const [name, value] of headers) request.headers.append(name, value);
    // Browsers drop the headers that scripts cannot set.
    if (headers.some(([name]) => !request.headers.has(name))) {
      const value = new Headers(headers.map(([...header]) => header));
      Object.defineProperty(request, "headers", { value });
    }
    const aborted = new Promise<never>((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason))
    );
    const respond = async () => {
      const { status, headers, body } = await handler(request);
      const text = body ? await readBody(body) : "";
      return { status, headers: new Headers(headers), body: text };
    };
    return await Promise.race([respond(), aborted]);
  };
}

/**
 * Reads a body.
 *
 * @throws {RangeError} If it is longer than 1 MB.
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
): Promise<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > MAX_BYTES) throw new RangeError("the body exceeds 1 MB");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
