import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import process from "node:process";

// Sends one recorded response to every request, on each runtime.

const [path, flag] = process.argv.slice(2);
const { status, body, ...rest } = JSON.parse(readFileSync(path, "utf8"));
const address = { port: Number(process.env.PORT), hostname: "127.0.0.1" };
const headers = Object.fromEntries(rest.headers);

if (globalThis.Deno) {
  Deno.serve(
    { ...address, onListen() {} },
    () => new Response(body, { status, headers }),
  );
} else if (globalThis.Bun) {
  Bun.serve({
    ...address,
    fetch: () => new Response(body, { status, headers }),
  });
} else if (flag === "--tuned") {
  // Two tricks: no empty body to discard later, and headers and body in one write.
  const optimizeEmptyRequests = parseInt(process.versions.node) >= 24;
  createServer({ optimizeEmptyRequests }, (request, response) => {
    if (!optimizeEmptyRequests) request.read();
    response.writeHead(status, headers);
    response.cork();
    response.write(body, "latin1");
    response.uncork();
    response.end();
  }).listen(address.port, address.hostname);
} else {
  createServer((_request, response) => {
    response.writeHead(status, headers).end(body);
  }).listen(address.port, address.hostname);
}
