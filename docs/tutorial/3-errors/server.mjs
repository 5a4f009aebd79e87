import { createServer } from "node:http";
import process from "node:process";
import { answer } from "./answer.mjs";

const server = createServer((request, response) => {
  const { method, url: target, headers: { authorization } } = request;
  const { status, headers, body } = answer({ method, target, authorization });
  response.writeHead(status, headers).end(body);
});
server.listen(process.env.PORT ?? 8000, "127.0.0.1", () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}/plants`);
});
