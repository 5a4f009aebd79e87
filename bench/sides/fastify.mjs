import bearerAuth from "@fastify/bearer-auth";
import etag from "@fastify/etag";
import Fastify from "fastify";
import {
  headers,
  hostname,
  isCached,
  list,
  listJson,
  port,
  schema,
  users,
} from "./shop.mjs";

const app = Fastify();
app.decorateRequest("user", null);
await app.register(bearerAuth, {
  keys: new Set(),
  auth(token, request) {
    request.user = users.get(token);
    return request.user !== undefined;
  },
});
if (!isCached) await app.register(etag);
app.get("/plants", { schema }, (request, reply) => {
  const { user, query: { limit } } = request;
  reply.headers(headers);
  reply.send(isCached ? listJson(user, limit) : list(user, limit));
});
await app.listen({ port, host: hostname });
