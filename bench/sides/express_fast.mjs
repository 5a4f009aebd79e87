import express from "express";
import {
  authorize,
  BAD_LIMIT,
  CHALLENGE,
  findLimit,
  list,
  port,
  readLimit,
  ready,
  UNAUTHORIZED,
} from "./shop.mjs";

// Express at its fastest: one handler, no ETag of its own, no query parser, and
// the answer written by Node.

const app = express();
app.disable("x-powered-by");
app.disable("etag");
app.set("query parser", false);

function send(response, status, value, headers) {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    ...headers,
  }).end(body);
}

app.get("/plants", (request, response) => {
  const access = authorize(request.headers.authorization);
  if (access === undefined) {
    send(response, 401, UNAUTHORIZED, { "WWW-Authenticate": CHALLENGE });
    return;
  }
  const limit = readLimit(findLimit(request.url));
  if (Number.isNaN(limit)) send(response, 400, BAD_LIMIT);
  else send(response, 200, list(access, limit));
});
app.listen(port, "127.0.0.1", ready);
