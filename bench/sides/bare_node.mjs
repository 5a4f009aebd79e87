import { createServer } from "node:http";
import { bytes, headers, port, status, text } from "./bare_reply.mjs";

// The limit on Node: no logic, an object of headers, Content-Length given. A
// string is faster than a buffer below a few kilobytes, and far slower above.

const hasBody = headers["Content-Length"] !== undefined;
const body = !hasBody ? undefined : bytes.length < 4096 ? text : bytes;

createServer((_request, response) => {
  response.writeHead(status, headers).end(body);
}).listen(port, "127.0.0.1", () => console.log("ready"));
