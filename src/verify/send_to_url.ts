import type { Send } from "./case.ts";

/** The maximum length of a body, in characters. */
const MAX_LENGTH = 1_000_000;

const MORE =
  "bytes follow the response; Content-Length counts bytes, not characters, and a response to HEAD has no body";

/** Reasons for errors of `node:http`, by their codes. */
const REASONS: Readonly<Record<string, string>> = {
  HPE_CLOSED_CONNECTION: MORE,
  HPE_INVALID_CONSTANT: MORE,
  ECONNRESET: "the connection closed before the end of the response",
};

/**
 * Returns a function that sends requests to a server, with the target as it is, and
 * without following redirects.
 *
 * @param url The URL of the server. Its path is ignored.
 */
export async function createUrlSender(
  { protocol, hostname, port }: URL,
): Promise<Send> {
  // A computed name, because bundlers for browsers cannot resolve `node:` modules.
  const name = `node:${protocol.slice(0, -1)}`;
  const { request: open }: typeof import("node:https") = await import(
    /* webpackIgnore: true */ name
  );
  const host = hostname.replace(/^\[|\]$/g, "");
  // Not the Host of a request
  const servername = /^[\d.]+$|:/.test(host) ? "" : host;
  return ({ method, target, headers }, signal) =>
    new Promise((resolve, reject) => {
      const fail = (error: Error & { readonly code?: string }) => {
        const reason = REASONS[error.code ?? ""];
        reject(reason === undefined ? error : new Error(reason));
      };
      const request = open({
        ...{ host, port, servername, method, path: target, signal },
        agent: false,
        headers: Object.fromEntries(headers),
      }, (response) => {
        const { statusCode: status = 0, rawHeaders } = response;
        const found = new Headers();
        for (let at = 0; at < rawHeaders.length; at += 2) {
          found.append(rawHeaders[at]!, rawHeaders[at + 1]!);
        }
        let body = "";
        response.setEncoding("utf8").on("error", fail);
        response.on("data", (text: string) => {
          body += text;
          if (body.length <= MAX_LENGTH) return;
          reject(new RangeError("the response exceeds 1 MB"));
          request.destroy();
        });
        response.on("end", () => resolve({ status, headers: found, body }));
      });
      request.on("upgrade", ({ statusCode }, socket) => {
        socket.destroy();
        reject(new Error(`status ${statusCode} changes the protocol`));
      });
      request.on("error", fail).end();
    });
}
