import process from "node:process";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { createHandler } from "plant-store";
import { store } from "./store.ts";

const plants = createHandler(store, { basePath: "/api" });
const app = new Hono();

app.get("/hello", (c) => c.text("Hello from the shop\n"));
app.all("/api/*", (c) => plants(c.req.raw));

const port = Number(process.env["PORT"] ?? 8000);
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () => {
  console.log(`Plants at http://127.0.0.1:${port}/api/plants`);
});
