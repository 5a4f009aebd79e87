import { createHandler } from "plant-store";
import { openapi } from "plant-store/openapi";
import { store } from "../demo_store.ts";

/** The part of `ServiceWorkerGlobalScope` that this file uses. */
interface Scope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(
    type: "install" | "activate" | "message" | "fetch",
    listener: (event: WorkerEvent) => void,
  ): void;
}

/** The parts of the events that this file uses. */
interface WorkerEvent {
  readonly data: unknown;
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
  waitUntil(done: Promise<void>): void;
}

const worker = globalThis as unknown as Scope;

/** The URL of the folder that contains the page. */
const base = new URL(worker.registration.scope);

// The bundle contains the store, so all plants and tokens are public.
const basePath = base.pathname.slice(0, -1);
const handler = createHandler(store, {
  openapi,
  ...basePath !== "" && { basePath },
});

/** The paths that this worker responds to. The static host serves all others. */
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
// A page sends "claim" after a hard reload, which bypasses the worker.
worker.addEventListener("message", (event) => {
  if (event.data === "claim") event.waitUntil(worker.clients.claim());
});
