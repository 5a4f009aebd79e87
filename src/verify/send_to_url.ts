import type { ClientRequest, IncomingMessage } from "node:http";
import type { CaseRequest, CaseResponse } from "./case.ts";
import { explainParseError, type ReceiveError } from "./parse_error.ts";
import { readBody, type Send } from "./send.ts";

/** The message if a server reads a body as a request. */
export const BODY_READ = "the body was read as a request";

/** The response if its head cannot be parsed. */
const NO_HEAD: CaseResponse = { status: 0, headers: new Headers(), body: "" };

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
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const send: Send = (request, signal) =>
    new Promise((resolve, reject) => {
      let head: CaseResponse | undefined;
      const message = http.request(origin, {
        agent: request.connection ? agent : false,
        method: request.method,
        path: request.target,
        setHost: false,
        signal,
      }, (response) => {
        head = toCaseResponse(response, "");
        readBody(response).then((body) => {
          // Node.js closes a connection on which a second response follows.
          if (message.shouldKeepAlive && message.socket?.destroyed) {
            reject(
              new Error(
                request.content
                  ? BODY_READ
                  : "a second response to the same request",
              ),
            );
          } else resolve(toCaseResponse(response, body));
        }, fail);
      });
      message.method = request.method; // `http.request` changes it to upper case
      for (const field of toFields(request, host)) {
        message.appendHeader(...field);
      }
      const { pauseBefore, trailer } = request;
      if (pauseBefore) {
        message.on("socket", (socket) => pause(socket, pauseBefore));
      }
      if (trailer) message.addTrailers({ "X-Trailer": "1" });
      message.on("upgrade", (response) => {
        response.socket.destroy();
        resolve(toCaseResponse(response, ""));
      });
      message.on("error", fail);
      message.end(request.content);

      function fail(error: ReceiveError): void {
        if (signal.aborted) return reject(error);
        const problem = explainParseError(error, request, head);
        // A server can close an idle connection at any time (RFC 9112 section 9.3.1).
        const isStale = message.reusedSocket && !head &&
          /reset|hang up|EPIPE/i.test(error.message);
        if (problem) resolve({ ...head ?? NO_HEAD, problem });
        else if (isStale) resolve(send(request, signal));
        else reject(error);
      }
    });
  return send;
}

/** Pauses for 50 ms before the last occurrence of a text in a request. */
function pause(socket: ClientRequest["socket"] & object, text: string): void {
  const { write } = socket;
  const writeParts = (data: string) => {
    Object.assign(socket, { write });
    const index = data.lastIndexOf(text);
    socket.uncork();
    socket.write(data.slice(0, index), "latin1");
    // Twice, because Node.js uncorks the connection after this function.
    for (let count = 0; count < 2; count++) socket.cork();
    setTimeout(() => socket.uncork(), 50);
    return socket.write(data.slice(index), "latin1");
  };
  Object.assign(socket, { write: writeParts });
}

/** Returns the headers of a request, including those for the connection. */
function toFields(
  { method, headers, content, ...rest }: CaseRequest,
  host: string,
): readonly (readonly [string, string])[] {
  const hasHost = headers.some(([name]) => name.toLowerCase() === "host");
  const hasLength = headers.some(([name]) =>
    name === "Content-Length" || name === "Transfer-Encoding"
  );
  // With other methods, Node.js would send an empty chunked body.
  const isWithoutBody = content === undefined &&
    /^(?:GET|HEAD|OPTIONS)$/.test(method);
  return [
    ...rest.withoutHost || hasHost ? [] : [["Host", host] as const],
    ...headers,
    ...hasLength || isWithoutBody
      ? []
      : [["Content-Length", `${content?.length ?? 0}`] as const],
    ["Connection", rest.connection === "keep" ? "keep-alive" : "close"],
  ];
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
