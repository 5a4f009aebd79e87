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
  users,
} from "./shop.mjs";

const querystring = {
  type: "object",
  properties: { limit: { type: "integer", minimum: 0, maximum: 2147483647 } },
};
const plant = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string" }, tag: { type: "string" } },
};
const response = { 200: { type: "array", items: plant } };

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
app.get("/plants", { schema: { querystring, response } }, (request, reply) => {
  const { user, query: { limit } } = request;
  reply.headers(headers);
  reply.send(isCached ? listJson(user, limit) : list(user, limit));
});
await app.listen({ port, host: hostname });
