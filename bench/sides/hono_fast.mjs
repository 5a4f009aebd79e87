import { serve } from "@hono/node-server";
import { Hono } from "hono";
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

// Hono at its fastest: one synchronous handler, the checks by hand.

const app = new Hono();
app.get("/plants", (c) => {
  const access = authorize(c.req.header("authorization"));
  if (access === undefined) {
    return c.json(UNAUTHORIZED, 401, { "WWW-Authenticate": CHALLENGE });
  }
  const limit = readLimit(c.req.query("limit"));
  if (Number.isNaN(limit)) return c.json(BAD_LIMIT, 400);
  return c.json(list(access, limit));
});
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, ready);
