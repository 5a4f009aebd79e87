import { test } from "node:test";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createHandler, createMemoryStore, type Handler } from "../../mod.ts";

const PLANTS = [{ name: "a" }, { name: "b" }];
const headers = { authorization: "Bearer t" };
const handler = createHandler(createMemoryStore({
  plants: PLANTS,
  users: { u: { plants: "all", tokens: ["t"] } },
}));

/** What clients accept as their `fetch`. */
const network: (
  input: RequestInfo | URL,
  init?: RequestInit,
) => Promise<Response> = handler;

for (
  const [name, send] of [
    ["a Request", () => handler(new Request("http://h/plants", { headers }))],
    ["a string", () => handler("https://h.example/plants", { headers })],
    ["a path", () => handler("/plants", { headers })],
    ["a path without a slash", () => handler("plants", { headers })],
    ["a URL", () => handler(new URL("http://h/plants"), { headers })],
    ["a variable of fetch's type", () => network("/plants", { headers })],
  ] as const
) {
  test(`handler() accepts ${name}`, async () => {
    const response = await send();
    assertEquals(response.status, 200);
    assertEquals(await response.json(), PLANTS);
  });
}

test("handler() sends the query, the method, and the headers", async () => {
  const limited = await handler("/plants?limit=1", { headers });
  assertEquals(await limited.json(), PLANTS.slice(0, 1));
  const head = await handler("/plants", { method: "HEAD", headers });
  assertEquals([head.status, await head.text()], [200, ""]);
  const posted = await handler("/plants", { method: "POST", body: "x" });
  assertEquals(posted.status, 405);
});

test("handler() ignores what servers pass after a Request", async () => {
  const request = () => new Request("http://h/plants", { headers });
  for (
    const rest of [
      [{ remoteAddr: {}, completed: Promise.resolve() }],
      [{ method: "POST", headers: {} }],
      [{}, { waitUntil() {} }],
      [null],
    ]
  ) {
    const response = await handler(request(), ...rest);
    assertEquals(response.status, 200);
  }
});

test("handler() can be passed to servers of every kind", () => {
  interface Info {
    readonly remoteAddr: string;
  }
  // The types of Deno.serve, Bun.serve, and a Worker.
  const types: readonly [
    (request: Request, info: Info) => Response | Promise<Response>,
    (request: Request, server: { stop(): void }) => Promise<Response>,
    (request: Request, env: string, context: Info) => Promise<Response>,
    typeof network,
  ] = [handler, handler, handler, handler];
  assert(types.every((each: Handler | unknown) => each === handler));
});

test("handler() rejects what fetch rejects", async () => {
  await assertRejects(() => handler("http://"), TypeError);
  const signal = AbortSignal.abort(new RangeError("stopped"));
  await assertRejects(() => handler("/plants", { signal }), RangeError);
});
