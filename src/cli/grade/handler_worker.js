import { parentPort, workerData } from "node:worker_threads";

// Calls the handler of a student in a worker. This is JavaScript, so that every
// runtime can load it without a loader for TypeScript.

/** The URL of handler.mjs or its code, and what its handler receives after the request. */
const [module, ...args] = workerData;

for (const name of Object.keys(console)) console[name] = () => {};
const imported = import(module);
imported.catch(() => {}); // each request reports it

parentPort.on("message", async ([id, url, { headers, ...init }]) => {
  try {
    const { handler } = await imported;
    if (typeof handler !== "function") {
      throw new TypeError("handler.mjs must export a function named handler");
    }
    const request = new Request(url, init);
    for (const header of headers) request.headers.append(...header);
    const response = await handler(request, ...args);
    if (!(response instanceof Response)) {
      throw new TypeError("the handler did not return a Response");
    }
    // Servers send no body in response to HEAD.
    const isEmpty = response.body === null || request.method === "HEAD";
    const body = isEmpty ? null : await response.text();
    const { status, headers: found } = response;
    const reply = { body, init: { status, headers: [...found] } };
    parentPort.postMessage([id, reply]);
  } catch (error) {
    const [line] = String(error).replaceAll(module, "handler.mjs").split("\n");
    parentPort.postMessage([id, { error: line }]);
  }
});
