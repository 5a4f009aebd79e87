// Has the same theme as the VitePress site that this page can be part of.
try {
  const theme = localStorage.getItem("vitepress-theme-appearance");
  const isKnown = theme === "light" || theme === "dark";
  if (isKnown) document.documentElement.style.colorScheme = theme;
} catch {
  // The browser blocks storage, so the page has the theme of the system.
}

/** How long requests wait for the worker, in milliseconds. */
const TIMEOUT_MS = 3_000;

/** Waits until the worker responds to requests from this page. */
async function startWorker(): Promise<void> {
  const { serviceWorker } = navigator;
  const { href } = new URL("worker.js", location.href);
  const registration = await serviceWorker.register(href, {
    updateViaCache: "none",
  });
  // Otherwise, a page that is opened after a deployment could use the old worker.
  if (!registration.installing) {
    await registration.update().catch(() => {}); // the update fails when offline
  }
  const { installing } = registration;
  if (installing) await untilActive(installing);
  const isControlled = () => serviceWorker.controller?.scriptURL === href;
  if (!isControlled()) {
    const controlled = new Promise<void>((resolve) => {
      serviceWorker.addEventListener("controllerchange", () => {
        if (isControlled()) resolve();
      });
    });
    registration.active?.postMessage("claim");
    await controlled;
  }
}

async function untilActive(worker: ServiceWorker): Promise<void> {
  while (!/^(?:activated|redundant)$/.test(worker.state)) {
    await new Promise((resolve) => {
      worker.addEventListener("statechange", resolve, { once: true });
    });
  }
}

/** Loads the API into the page, which has no worker. */
async function loadApi() {
  if (!isSecureContext) return undefined; // there is no crypto.subtle
  const { createApi } = await import("./api.ts");
  return createApi(new URL(".", location.href));
}

/** The API in the page, or undefined once the worker responds. */
const apiReady = Promise.race([
  startWorker(),
  new Promise<never>((_, reject) => setTimeout(reject, TIMEOUT_MS)),
]).catch(loadApi);

const { fetch } = globalThis;

/** Like `fetch`, but can call the API in the page. */
async function respond(
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> {
  const request = new Request(input, init);
  const response = (await apiReady)?.(request);
  if (!response) return await fetch(request);
  return await new Promise((resolve, reject) => {
    const { signal } = request;
    signal.addEventListener("abort", () => reject(signal.reason));
    response.then(resolve, reject);
  });
}

// The explorer waits for the API before it measures the time of a response.
Object.assign(globalThis, { fetch: respond, apiReady });
