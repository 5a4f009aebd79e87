import { request as requestHttp } from "node:http";
import { request as requestHttps, type RequestOptions } from "node:https";
import { arrayBuffer } from "node:stream/consumers";

/**
 * Sends exactly the given headers, unlike `fetch`, on a new connection unless
 * there is an agent. Options with a `ca` use HTTPS.
 */
export function send(
  { body, ...options }: RequestOptions & { readonly body?: string },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    (options.ca ? requestHttps : requestHttp)({
      host: "127.0.0.1",
      agent: false,
      signal: AbortSignal.timeout(60_000),
      ...options,
    }, (response) => {
      const { statusCode: status = 0, headers } = response;
      const init = { status, headers: headers as Record<string, string> };
      arrayBuffer(response).then((body) => {
        resolve(new Response(body.byteLength === 0 ? null : body, init));
      }, reject);
    }).on("error", reject).end(body);
  });
}

/** Lists the plants of a user, by default one who can see all plants. */
export function list(
  url: string,
  token = "demo-curator",
  query = "",
): Promise<Response> {
  return fetch(new URL(`plants${query}`, url), {
    headers: { authorization: `Bearer ${token}` },
  });
}
