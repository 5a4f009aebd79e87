import Fastify from "fastify";
import {
  authorize,
  BAD_LIMIT,
  CHALLENGE,
  list,
  port,
  readLimit,
  ready,
  UNAUTHORIZED,
} from "./shop.mjs";
import { response } from "./fastify_schema.mjs";

// Fastify at its fastest: a synchronous handler, the checks by hand, the schema
// of the answer kept, since it writes JSON faster than JSON.stringify.

const app = Fastify({ logger: false });
app.get("/plants", { schema: { response } }, (request, reply) => {
  const access = authorize(request.headers.authorization);
  if (access === undefined) {
    reply.code(401).header("WWW-Authenticate", CHALLENGE).send(UNAUTHORIZED);
    return;
  }
  const limit = readLimit(request.query.limit);
  if (Number.isNaN(limit)) {
    reply.code(400).send(BAD_LIMIT);
    return;
  }
  reply.send(list(access, limit));
});
await app.listen({ port, host: "127.0.0.1" });
ready();
