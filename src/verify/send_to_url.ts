import type { IncomingMessage } from "node:http";
import type { CaseRequest, CaseResponse } from "./cases.ts";
import { readBody, type Send } from "./send_to_handler.ts";

/** The number of connections for requests at the same time. Servers accept that many at once. */
const MAX_SOCKETS = 6;

/**
 * Returns a function that sends requests to a server exactly as they are, without
 * following redirects.
 *
 * @param url The URL of the server. Its path is ignored.
 */
export async function createUrlSender(
  { protocol, origin, host }: URL,
): Promise<Send> {
  // A computed name, because bundlers for browsers cannot resolve `node:` modules.
  const name = `node:${protocol.replace(":", "")}`;
  const http: typeof import("node:http") = await import(
    /* webpackIgnore: true */ name
  );
  const single = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const pool = new http.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const agents = { keep: single, reuse: single, pool };
  const send: Send = (request, signal) =>
    new Promise((resolve, reject) => {
      const message = http.request(origin, {
        agent: request.connection ? agents[request.connection] : false,
        method: request.method ?? "GET",
        path: request.target ?? "/plants",
        headers: toFields(request, host).flat(),
        setHost: false,
        signal,
      }, (response) => {
        read(response).then((found) => {
          // Node.js closes a connection on which a second response follows.
          if (message.shouldKeepAlive && message.socket?.destroyed) {
            reject(new Error("a second response to the same request"));
          } else resolve(found);
        }, reject);
      });
      message.on("upgrade", (response, socket) => {
        socket.destroy();
        resolve(toCaseResponse(response, ""));
      });
      message.on("error", (error) => {
        // A server can close an idle connection at any time (RFC 9112 section 9.3.1).
        const isStale = message.reusedSocket && !signal.aborted &&
          /reset|hang up|EPIPE/i.test(error.message);
        if (isStale) resolve(send(request, signal));
        else reject(error);
      });
      message.end(request.content);
    });
  return send;
}

/** Returns the headers of a request, including those for the connection. */
function toFields(
  { method = "GET", headers = [], content, ...rest }: CaseRequest,
  host: string,
): readonly (readonly [string, string])[] {
  const isKept = /keep|pool/.test(rest.connection ?? "");
  const has = (name: string) =>
    headers.some(([each]) => each.toLowerCase() === name);
  // Node.js would send an empty chunked body.
  const isEmpty = content === undefined &&
    !/^(?:GET|HEAD|OPTIONS)$/.test(method);
  return [
    ...rest.withoutHost || has("host") ? [] : [["Host", host] as const],
    ...headers,
    ...isEmpty ? [["Content-Length", "0"] as const] : [],
    ["Connection", isKept ? "keep-alive" : "close"],
  ];
}

async function read(response: IncomingMessage): Promise<CaseResponse> {
  return toCaseResponse(response, await readBody(response));
}

function toCaseResponse(
  { rawHeaders, statusCode = 0 }: IncomingMessage,
  body: string,
): CaseResponse {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index]!, rawHeaders[index + 1]!);
  }
  return { status: statusCode, headers, body };
}
