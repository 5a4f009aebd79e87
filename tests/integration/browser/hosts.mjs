// Serves the packed package at /api of hosts, and prints their ports. The test copies
// this file to a project.
import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import { Hono } from "hono";
import Koa from "koa";
import mount from "koa-mount";
import { createDemoStore, createHandler } from "plant-store";
import { explorer } from "plant-store/explorer";
import { createNodeListener } from "plant-store/node";
import { openapi } from "plant-store/openapi";
import { createServer as createVite } from "vite";
import * as route from "./next_route.ts";

const store = createDemoStore();
const options = { explorer, openapi };
/** For hosts that remove the prefix. The origin must have no effect on the explorer. */
const mounted = { ...options, publicUrl: "https://shop.example/api" };

const hono = new Hono().mount("/api", createHandler(store, mounted));

const listener = createNodeListener(store, mounted);
const koa = new Koa().use(mount("/api", (context) => {
  context.respond = false;
  listener(context.req, context.res);
}));

const vite = await createVite({
  configFile: "vite.config.ts",
  logLevel: "warn",
  server: { middlewareMode: true, ws: false },
});

/** Calls a route, and removes the last slash of a path, as Next.js does by default. */
function next(request) {
  const { pathname } = new URL(request.url);
  if (!pathname.endsWith("/")) return route[request.method](request);
  const headers = { location: pathname.slice(0, -1) };
  return new Response(null, { status: 308, headers });
}

const HOSTS = {
  "Hono": getRequestListener(hono.fetch),
  "Express": express().use(
    "/api",
    createNodeListener(store, { ...options, basePath: "/api" }),
  ),
  "Koa": koa.callback(),
  "Vite": vite.middlewares,
  "a host like Next.js": getRequestListener(next),
};

const ports = {};
for (const [name, listener] of Object.entries(HOSTS)) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  ports[name] = server.address().port;
}
console.log(JSON.stringify(ports));
