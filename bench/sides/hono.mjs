import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { etag } from "hono/etag";
import {
  headers,
  hostname,
  isCached,
  list,
  listJson,
  port,
  readLimit,
  users,
} from "./shop.mjs";

const app = new Hono();
app.use(
  "/plants",
  bearerAuth({
    verifyToken(token, c) {
      c.set("user", users.get(token));
      return users.has(token);
    },
  }),
);
if (!isCached) app.use("/plants", etag());
app.get("/plants", (c) => {
  const limit = readLimit(c.req.query("limit"));
  if (Number.isNaN(limit)) return c.body(null, 400);
  const user = c.get("user");
  if (!isCached) return c.json(list(user, limit), 200, headers);
  return c.body(listJson(user, limit), 200, headers);
});
serve({ fetch: app.fetch, port, hostname });
