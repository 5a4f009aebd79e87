import { test } from "node:test";
import {
  assert,
  assertEquals,
  assertNotMatch,
  assertRejects,
} from "@std/assert";
import fc from "fast-check";
import {
  createHandler,
  createMemoryStore,
  type Handler,
  type HandlerOptions,
  type PlantList,
  type PlantStore,
  StoreUnavailableError,
} from "../../mod.ts";
import {
  behavior,
  checkBody,
  createUntrusted,
  TARGETS,
} from "../support/untrusted.ts";

const PLANTS = [{ name: "a", tag: "x" }, { name: "b" }, { name: "c" }];
const headers = { authorization: "Bearer t" };

const memory = createMemoryStore({
  plants: PLANTS,
  users: { u: { plants: "all", tokens: ["t"] } },
});
const handler = createHandler(memory);

/** A store whose users see this list. */
function listing(
  list: (limit?: number) => PlantList | Promise<PlantList>,
): PlantStore {
  return { authenticate: () => ({ user: "u", list }) };
}

/** Requests the plants in a store. Returns the response and the reported errors. */
async function request(
  store: PlantStore,
  target = "/plants",
  options: HandlerOptions = {},
): Promise<{ readonly response: Response; readonly errors: unknown[] }> {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const handler = createHandler(store, { onError, ...options });
  return { response: await handler(target, { headers }), errors };
}

test("createHandler() serves a custom store, synchronous or not", async () => {
  for (const list of [() => PLANTS, () => Promise.resolve(PLANTS)]) {
    const { response } = await request(listing(list));
    assertEquals(response.status, 200);
    assertEquals(await response.json(), PLANTS);
  }
});

test("createHandler() applies the limit to a longer list", async () => {
  const { response } = await request(listing(() => PLANTS), "/plants?limit=2");
  assertEquals(await response.json(), PLANTS.slice(0, 2));
});

test("createHandler() passes the limit to the store", async () => {
  const limits: (number | undefined)[] = [];
  const store = listing((limit) => {
    limits.push(limit);
    return [];
  });
  await request(store, "/plants?limit=7");
  await request(store);
  assertEquals(limits, [7, undefined]);
});

test("createHandler() calls the methods of a store on the store", async () => {
  class Store implements PlantStore {
    readonly #plants = PLANTS;
    readonly user = "u";
    authenticate(token: string) {
      return token === "t" ? this : undefined;
    }
    list() {
      return this.#plants;
    }
    ready() {
      if (this.#plants.length === 0) throw new Error("empty");
    }
  }
  for (const target of ["/plants", "/readyz"]) {
    const { response } = await request(new Store(), target);
    assertEquals(response.status, 200);
  }
});

test("createHandler() returns the same ETag for the same content in any store", async () => {
  const etags = new Set<string | null>();
  for (const store of [memory, listing(() => PLANTS)]) {
    for (const query of ["", "?limit=3", "?limit=9"]) {
      const { response } = await request(store, `/plants${query}`);
      etags.add(response.headers.get("etag"));
    }
  }
  assertEquals(etags.size, 1);
});

test("createHandler() sends an encoded list unchanged", async () => {
  const text = '[ {"name":"é"} ]';
  const bytes = new TextEncoder().encode(text);
  for (const body of [text, bytes]) {
    const list = { body, byteLength: bytes.length, etag: '"mine"' };
    const { response } = await request(listing(() => list));
    assertEquals(await response.text(), text);
    assertEquals(response.headers.get("etag"), '"mine"');
    assertEquals(response.headers.get("content-length"), `${bytes.length}`);
  }
});

const body = new TextEncoder().encode("[]");
const etag = '"mine"';
const badEtag = "etag must be an entity tag without commas, got ";
const badLength = "byteLength must be the length of the body in bytes";
for (
  const [name, list, message] of [
    [
      "an ETag without quotes",
      { body, byteLength: 2, etag: "mine" },
      `${badEtag}"mine"`,
    ],
    [
      "a line break",
      { body, byteLength: 2, etag: '"a"\r\nX: y' },
      `${badEtag}"\\"a\\"\\r\\nX: y"`,
    ],
    [
      "a comma in the ETag",
      { body, byteLength: 2, etag: '"a,b"' },
      `${badEtag}"\\"a,b\\""`,
    ],
    ["another length of bytes", { body, byteLength: 3, etag }, badLength],
    ["another length of text", { body: "é", byteLength: 1, etag }, badLength],
    ["a length that is NaN", { body: "[]", byteLength: NaN, etag }, badLength],
    ["a number", { body: 5, byteLength: 1, etag }, badLength],
    ["no body", { slice: () => [] }, "expected a list of plants"],
  ] as const
) {
  test(`createHandler() rejects an encoded list with ${name}`, async () => {
    const store = listing(() => list as PlantList);
    const { response, errors } = await request(store);
    assertEquals(response.status, 400);
    assertEquals(errors.map(String), [`TypeError: ${message}`]);
  });
}

test("createHandler() passes an error from a store only to onError", async () => {
  const cause = new Error("password is hunter2");
  const fail = () => {
    throw cause;
  };
  const reject = () => Promise.reject(cause);
  for (
    const store of [
      { authenticate: fail },
      { authenticate: reject },
      listing(fail),
      listing(reject),
    ]
  ) {
    const { response, errors } = await request(store);
    const body = await response.text();
    assertEquals(response.status, 400);
    assertEquals(JSON.parse(body).error, 500);
    assertNotMatch(body, /hunter2/);
    assertEquals(errors, [cause]);
  }
});

for (
  const [target, error, status, reported] of [
    ["/plants", new StoreUnavailableError("unavailable"), 503, 0],
    ["/readyz", new StoreUnavailableError("unavailable"), 503, 0],
    ["/readyz", new Error("broken"), 503, 1],
  ] as const
) {
  test(`createHandler() reports ${reported} errors if ${target} fails with ${error.name}`, async () => {
    const fail = () => Promise.reject(error);
    const store = { ...listing(fail), ready: fail };
    const { response, errors } = await request(store, target);
    assertEquals([response.status, errors.length], [status, reported]);
  });
}

test("createHandler() responds even if onError and onResponse throw", async () => {
  const fail = () => {
    throw new Error("the log is full");
  };
  const options = { onError: fail, onResponse: fail };
  const { response } = await request(listing(fail), "/plants", options);
  assertEquals(response.status, 400);
});

test("createHandler() responds even if a store or a resource misbehaves", async () => {
  const untrusted = createUntrusted();
  const handler = createHandler(untrusted.store, untrusted.options);
  const headers = { authorization: "Bearer t", "if-none-match": '"b"' };
  let listed = 0, shown = 0;
  const property = fc.asyncProperty(behavior, async (behavior) => {
    untrusted.behavior = behavior;
    for (const target of TARGETS) {
      for (const method of ["GET", "HEAD"]) {
        untrusted.errors = 0;
        const response = await handler(target, { method, headers });
        const { status } = response;
        const text = await response.text();
        if (method === "GET") checkBody(target, status, text);
        else assertEquals(text, "");
        if (target === "/" && status === 200) shown++;
        if (!target.startsWith("/plants")) continue;
        if (status === 200) listed++;
        if (status === 400) assertEquals(untrusted.errors, 1);
      }
    }
  });
  await fc.assert(property, { numRuns: 500 });
  assert(listed > 10 && shown > 10, `${listed} ${shown}`);
});

test("/readyz returns what ready() reports", async () => {
  const handler = createHandler({
    authenticate: () => undefined,
    ready: () =>
      Promise.resolve({ loaded: new Date(0), rejected: new Date(1_000) }),
  });
  const response = await handler("/readyz");
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(await response.json(), {
    status: "ok",
    loaded: "1970-01-01T00:00:00.000Z",
    rejected: "1970-01-01T00:00:01.000Z",
  });
});

test("createHandler() never modifies its arguments", async () => {
  const options = Object.freeze({
    basePath: "/api",
    cors: Object.freeze(["https://a.example"]),
  });
  const handler = createHandler(Object.freeze({ ...memory }), options);
  assertEquals((await handler("/api/healthz")).status, 200);
});

test("handler() accepts a Request with a relative URL", async () => {
  const request = { method: "GET", url: "/healthz", headers: new Headers() };
  assertEquals((await handler(request as Request)).status, 200);
});

for (
  const [url, status] of [
    ["http://h/*", 204],
    ["https://h:81/*", 204],
    ["http://h*", 204],
    ["http://h*/", 404],
    ["http://h/x*", 404],
    ["http://h/?*", 404],
  ] as const
) {
  test(`OPTIONS ${url} returns ${status}`, async () => {
    const request = { method: "OPTIONS", url, headers: new Headers() };
    assertEquals((await handler(request as Request)).status, status);
  });
}

test("responses do not share bytes", async () => {
  const handler = createHandler(createMemoryStore({
    plants: Array.from({ length: 1_000 }, (_, at) => ({ name: `plant ${at}` })),
    users: { u: { plants: "all", tokens: ["t"] } },
  }));
  for (const target of ["/plants", "/plants?limit=2", "/healthz", "/nope"]) {
    const expected = await (await handler(target, { headers })).text();
    for (let time = 0; time < 3; time++) {
      const response = await handler(target, { headers });
      const bytes = new Uint8Array(await response.arrayBuffer());
      assertEquals(new TextDecoder().decode(bytes), expected, target);
      bytes.fill(0);
    }
  }
});

/** The type of `fetch` that clients accept. */
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
    ["the arguments of fetch", () => network("/plants", { headers })],
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

test("handler() ignores arguments that servers pass after a Request", async () => {
  for (
    const rest of [
      [{ remoteAddr: {}, completed: Promise.resolve() }],
      [{ method: "POST", headers: {} }],
      [{}, { waitUntil() {} }],
      [null],
    ]
  ) {
    const request = new Request("http://h/plants", { headers });
    assertEquals((await handler(request, ...rest)).status, 200);
  }
});

test("handler() has the type that servers accept", () => {
  interface Info {
    readonly remoteAddr: string;
  }
  // Deno.serve, Bun.serve, Cloudflare Workers, and fetch
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
