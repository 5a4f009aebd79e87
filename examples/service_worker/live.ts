/** Waits until the worker responds to requests from this page. */
async function startWorker(): Promise<void> {
  const { serviceWorker } = navigator;
  const { href } = new URL("worker.js", location.href);
  const registration = await serviceWorker.register(href, {
    updateViaCache: "none",
  });
  // Otherwise, a page that is opened after a deployment could use the old worker.
  await registration.update().catch(() => {}); // the update fails when offline
  const { installing } = registration;
  if (installing) await untilActive(installing);
  await serviceWorker.ready;
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
  document.getElementById("no-worker")?.remove();
}

async function untilActive(worker: ServiceWorker): Promise<void> {
  while (!/^(?:activated|redundant)$/.test(worker.state)) {
    await new Promise((resolve) => {
      worker.addEventListener("statechange", resolve, { once: true });
    });
  }
}

// If the worker does not start, the page keeps showing that it needs one.
await startWorker();
