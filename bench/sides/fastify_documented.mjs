import bearerAuth from "@fastify/bearer-auth";
import Fastify from "fastify";
import { accessByToken, filter, port, ready } from "./shop.mjs";
import { querystring, response } from "./fastify_schema.mjs";

// Fastify as its documentation has it: schemas, and its plugin for the tokens.

const app = Fastify();
app.decorateRequest("access", null);
await app.register(bearerAuth, {
  keys: new Set(),
  auth(token, request) {
    request.access = accessByToken.get(token);
    return request.access !== undefined;
  },
});
// deno-lint-ignore require-await
app.get("/plants", { schema: { querystring, response } }, async (request) => {
  return filter(request.access, request.query.limit);
});
await app.listen({ port, host: "127.0.0.1" });
ready();
