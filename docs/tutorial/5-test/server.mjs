import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import process from "node:process";
import { createAnswer } from "./answer.mjs";

const folder = process.argv[2] ?? ".";
const read = (name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));
const answer = createAnswer(read("plants.json"), read("tokens.json"));

const server = createServer((request, response) => {
  const { method, url: target, headers: { authorization } } = request;
  const { status, headers, body } = answer({ method, target, authorization });
  response.writeHead(status, headers).end(body);
});
server.listen(process.env.PORT ?? 8000, "127.0.0.1", () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}/plants`);
});
