import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import {
  accessByToken,
  BAD_LIMIT,
  filter,
  port,
  readLimit,
  ready,
} from "./shop.mjs";

// Hono as its documentation has it, with its own middleware for the tokens.

const app = new Hono();
app.use(
  "/plants",
  bearerAuth({
    // deno-lint-ignore require-await
    async verifyToken(token, c) {
      const access = accessByToken.get(token);
      c.set("access", access);
      return access !== undefined;
    },
  }),
);
app.get("/plants", (c) => {
  const limit = readLimit(c.req.query("limit"));
  if (Number.isNaN(limit)) return c.json(BAD_LIMIT, 400);
  return c.json(filter(c.get("access"), limit));
});
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, ready);
