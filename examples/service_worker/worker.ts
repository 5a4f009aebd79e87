import { createHandler, createMemoryStore } from "plant-store";
import { openapi } from "plant-store/openapi";
import plants from "../../data/plants.json" with { type: "json" };
import users from "../../data/tokens.json" with { type: "json" };

/** What this file uses of `ServiceWorkerGlobalScope`. */
interface Scope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(
    type: "install" | "activate" | "message" | "fetch",
    listener: (event: WorkerEvent) => void,
  ): void;
}

/** What this file uses of the events. */
interface WorkerEvent {
  readonly data: unknown;
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
  waitUntil(done: Promise<void>): void;
}

const worker = globalThis as unknown as Scope;

/** The folder that the page is in. */
const base = new URL(worker.registration.scope);

// Everything in this file is public: the plants, the users, and the tokens.
const { florist, visitor } = users;
const store = createMemoryStore({
  plants,
  users: {
    curator: { plants: "all", tokens: ["demo-curator"] },
    florist: { plants: florist.plants, tokens: ["demo-florist"] },
    visitor: { plants: visitor.plants, tokens: ["demo-visitor"] },
  },
});
const basePath = base.pathname.slice(0, -1);
const handler = createHandler(store, {
  openapi,
  ...basePath !== "" && { basePath },
});

/** The paths that this worker responds to. The static host has all others. */
const PATHS = new Set(
  ["plants", "openapi.json", "healthz", "readyz"]
    .map((name) => new URL(name, base).pathname),
);

worker.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (origin === base.origin && PATHS.has(pathname)) {
    event.respondWith(handler(event.request));
  }
});

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => {
  event.waitUntil(worker.clients.claim());
});
// A page asks for it after a hard reload, which bypasses the worker.
worker.addEventListener("message", (event) => {
  if (event.data === "claim") event.waitUntil(worker.clients.claim());
});
