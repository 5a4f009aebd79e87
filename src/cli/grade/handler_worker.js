import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";

// Calls the handler of a student in a worker. This is JavaScript, so that every
// runtime can load it without a loader for TypeScript.

/** The URL of handler.mjs or its code, and what its handler receives after the request. */
const [module, plants, users] = workerData;

/** Describes an error, with its first line in handler.mjs. */
function describe(error) {
  const [message] = String(error).replaceAll(module, "handler.mjs").split("\n");
  let [, place] = String(Object(error).stack).split(`${module}:`);
  if (!place && error instanceof SyntaxError && !process.versions.deno) {
    // Node.js reports the line only with `--check`.
    const [, code] = module.split(";base64,");
    const input = code ? atob(code) : readFileSync(new URL(module));
    const args = ["--input-type=module", "--check"];
    const { stderr } = spawnSync(process.execPath, args, { input });
    [, place] = String(stderr).split("[stdin]:");
  }
  const line = parseInt(place);
  return line > 0 ? `${message} (line ${line})` : message;
}

for (const name of Object.keys(console)) console[name] = () => {};
/** The handler, or the reason why it cannot be imported. */
const loaded = import(module).then(({ handler }) => {
  const now = Date.now();
  for (const entry of users.timed.tokens) {
    entry.expires = new Date(now + entry.expires).toISOString();
  }
  if (typeof handler === "function") return { handler };
  throw new TypeError("handler.mjs must export a function named handler");
}).catch((error) => ({ error: describe(error) }));

parentPort.on("message", async ([id, url, { headers, ...init }]) => {
  try {
    const { handler, error } = await loaded;
    if (error) return parentPort.postMessage([id, { error }]);
    const request = new Request(url, init);
    for (const header of headers) request.headers.append(...header);
    const isReversed = request.headers.has("Test-Plants");
    const given = isReversed ? [...plants].reverse() : plants;
    const response = await handler(request, given, users);
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
    parentPort.postMessage([id, { error: describe(error) }]);
  }
});
