import process from "node:process";

// Calls the handler of a student in a worker process. This is JavaScript, so that every
// runtime can run it without a loader for TypeScript.

// This also keeps the process running while it loads a module.
process.on("disconnect", () => process.exit());

process.once("message", async ([module, plants, users]) => {
  /** Describes an error, with its first line in handler.mjs. */
  function describe(error) {
    const [message] = String(error).replaceAll(module, "handler.mjs")
      .split("\n");
    const [, place] = String(Object(error).stack).split(`${module}:`);
    const line = parseInt(place);
    return line > 0 ? `${message} (line ${line})` : message;
  }

  /** Replies to message 0, the module, that it cannot respond. */
  const fail = (error) => process.send([0, { error: describe(error) }]);
  process.on("uncaughtException", fail);
  const { handler } = await import(module).catch(fail);
  if (typeof handler !== "function") {
    fail(new TypeError("handler.mjs must export a function named handler"));
  }
  const now = Date.now();
  for (const entry of users.timed.tokens) {
    entry.expires = new Date(now + entry.expires).toISOString();
  }
  process.on("message", async ([id, url, { headers, ...init }]) => {
    try {
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
      process.send([id, { body, init: { status, headers: [...found] } }]);
    } catch (error) {
      process.send([id, { error: describe(error) }]);
    }
  });
  process.send([0, {}]);
});

// Node.js loads these classes here instead of during the first response.
await new Response(new Request("http://localhost").url).text();
process.send([0, {}]);
