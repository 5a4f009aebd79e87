import { createServer } from "node:http";
import process from "node:process";

// Sends the response in RESPONSE to every request, on each runtime.

const { headers, body } = JSON.parse(process.env.RESPONSE);
const address = { port: Number(process.env.PORT), hostname: "127.0.0.1" };

if (globalThis.Deno) {
  Deno.serve(
    { ...address, onListen() {} },
    () => new Response(body, { headers }),
  );
} else if (globalThis.Bun) {
  Bun.serve({
    ...address,
    fetch: () => new Response(body, { headers }),
  });
} else {
  createServer((_request, response) => {
    response.writeHead(200, headers).end(body);
  }).listen(address.port, address.hostname);
}
