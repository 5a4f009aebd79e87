import bearerAuth from "@fastify/bearer-auth";
import Fastify from "fastify";
import { accessByToken, hostname, list, port } from "./shop.mjs";

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
app.decorateRequest("access", null);
await app.register(bearerAuth, {
  keys: new Set(),
  auth(token, request) {
    request.access = accessByToken.get(token);
    return request.access !== undefined;
  },
});
app.get("/plants", { schema: { querystring, response } }, (request, reply) => {
  reply.send(list(request.access, request.query.limit));
});
await app.listen({ port, host: hostname });
