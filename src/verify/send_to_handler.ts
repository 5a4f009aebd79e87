import type { Send } from "./case.ts";

/** A function that responds to requests, as in Deno, Bun, Workers, and Hono. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

export function createHandlerSender(handler: FetchHandler): Send {
  return async ({ method, target, headers }, signal) => {
    // Like the servers, uses the Host in the URL.
    const [, host = ""] = headers.find(([name]) => name === "Host") ?? [];
    const authority = /^[\w.-]+(?::\d+)?$/.test(host) ? host : "localhost";
    const url = /^https?:/.test(target)
      ? target
      : `http://${authority}${target === "*" ? "/*" : target}`;
    const request = new Request(url, { method, signal });
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
      const response = await handler(request);
      const { status, headers } = response;
      // Unlike text(), keeps a byte order mark.
      const body = new TextDecoder("utf-8", { ignoreBOM: true })
        .decode(await response.arrayBuffer());
      return { status, headers: new Headers(headers), body };
    };
    return await Promise.race([respond(), aborted]);
  };
}
