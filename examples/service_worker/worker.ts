import { createApi } from "./api.ts";

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
const api = createApi(new URL(worker.registration.scope));

worker.addEventListener("fetch", (event) => {
  const response = api(event.request);
  if (response) event.respondWith(response);
});

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => {
  event.waitUntil(worker.clients.claim());
});
// A page sends "claim" after a hard reload, which bypasses the worker.
worker.addEventListener("message", (event) => {
  if (event.data === "claim") event.waitUntil(worker.clients.claim());
});
