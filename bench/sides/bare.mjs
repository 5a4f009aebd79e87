import { createServer } from "node:http";
import process from "node:process";

// Sends the response in RESPONSE on each runtime: to every request, or with READ=1, only
// to the right one, so that it reads what any API must read.

const { headers, body } = JSON.parse(process.env.RESPONSE);
const address = { port: Number(process.env.PORT), hostname: "127.0.0.1" };
const reads = process.env.READ === "1";

/** Whether a request is the right one. */
function isRight(method, target, readHeader) {
  const [path, query] = target.split("?");
  return method === "GET" && path === "/plants" && query === "limit=20" &&
    readHeader("authorization") === "Bearer token-1" &&
    Boolean(readHeader("host")) && !readHeader("if-none-match");
}

function respond(request) {
  if (reads) {
    const { method, url } = request;
    const target = url.slice(url.indexOf("/", "https://".length));
    const readHeader = (name) => request.headers.get(name);
    if (!isRight(method, target, readHeader)) {
      return new Response(null, { status: 404 });
    }
  }
  return new Response(body, { headers });
}

if (globalThis.Deno) {
  Deno.serve({ ...address, onListen() {} }, respond);
} else if (globalThis.Bun) {
  Bun.serve({ ...address, fetch: respond });
} else {
  createServer((request, response) => {
    const readHeader = (name) => request.headers[name];
    if (!reads || isRight(request.method, request.url, readHeader)) {
      response.writeHead(200, headers).end(body);
    } else response.writeHead(404).end();
  }).listen(address.port, address.hostname);
}
