import { headers, port, status, text } from "./bare_reply.mjs";

// The limit on Deno.

Deno.serve(
  { port, hostname: "127.0.0.1", onListen: () => console.log("ready") },
  () => new Response(text, { status, headers }),
);
