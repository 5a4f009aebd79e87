import { headers, port, status, text } from "./bare_reply.mjs";

// The limit on Bun.

Bun.serve({
  port,
  hostname: "127.0.0.1",
  fetch: () => new Response(text, { status, headers }),
});
console.log("ready");
