import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { accessByToken, hostname, list, port, readLimit } from "./shop.mjs";

const app = new Hono();
app.use(
  "/plants",
  bearerAuth({
    verifyToken(token, c) {
      c.set("access", accessByToken.get(token));
      return accessByToken.has(token);
    },
  }),
);
app.get("/plants", (c) => {
  const limit = readLimit(c.req.query("limit"));
  if (Number.isNaN(limit)) return c.body(null, 400);
  return c.json(list(c.get("access"), limit));
});
serve({ fetch: app.fetch, port, hostname });
