import { test } from "node:test";
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertThrows,
} from "@std/assert";
import {
  createHandler,
  createMemoryStore,
  type HandlerOptions,
  type PlantList,
  type PlantStore,
  type ResponseEvent,
  StoreUnavailableError,
} from "../../mod.ts";

const PLANTS = [{ name: "a", tag: "x" }, { name: "b" }, { name: "c" }];

/** Asks a store for its plants. */
function ask(
  store: PlantStore,
  query = "",
  options: HandlerOptions = {},
): Promise<Response> {
  const request = new Request(`http://localhost/plants${query}`, {
    headers: { authorization: "Bearer t" },
  });
  return createHandler(store, options)(request);
}

/** A store whose views list this. */
function listing(
  list: (limit?: number) => PlantList | Promise<PlantList>,
): PlantStore {
  return { authenticate: () => ({ user: "u", list }) };
}

test("createHandler() serves plain plants of a custom store", async () => {
  for (const list of [() => PLANTS, () => Promise.resolve(PLANTS)]) {
    const response = await ask(listing(list));
    assertEquals(response.status, 200);
    assertEquals(await response.json(), PLANTS);
    assertMatch(response.headers.get("etag") ?? "", /^"[0-9a-f]+"$/);
  }
});

test("createHandler() holds a store that gives too many to the limit", async () => {
  const response = await ask(listing(() => PLANTS), "?limit=2");
  assertEquals(await response.json(), PLANTS.slice(0, 2));
});

test("createHandler() hands the limit to the store, and none when there is none", async () => {
  const limits: (number | undefined)[] = [];
  const store = listing((limit) => {
    limits.push(limit);
    return [];
  });
  await ask(store, "?limit=7");
  await ask(store);
  assertEquals(limits, [7, undefined]);
});

test("createHandler() calls a store's methods on the store", async () => {
  class Store implements PlantStore {
    readonly #plants = PLANTS;
    authenticate(token: string) {
      return token === "t" ? this : undefined;
    }
    readonly user = "u";
    list() {
      return this.#plants;
    }
    ready() {
      if (this.#plants.length === 0) throw new Error("empty");
    }
  }
  assertEquals((await ask(new Store())).status, 200);
  const ready = createHandler(new Store());
  assertEquals((await ready(new Request("http://h/readyz"))).status, 200);
});

test("createHandler() gives equal content equal tags, whatever the store", async () => {
  const memory = createMemoryStore({
    plants: PLANTS,
    users: { u: { plants: "all", tokens: ["t"] } },
  });
  const tags = new Set<string | null>();
  for (const store of [memory, listing(() => PLANTS)]) {
    for (const query of ["", "?limit=3", "?limit=9"]) {
      tags.add((await ask(store, query)).headers.get("etag"));
    }
  }
  assertEquals(tags.size, 1);
});

test("createHandler() sends an encoded list as it is, text or bytes", async () => {
  const text = '[ {"name":"é"} ]';
  const bytes = new TextEncoder().encode(text);
  for (const body of [text, bytes]) {
    const response = await ask(
      listing(() => ({ body, byteLength: bytes.length, etag: '"mine"' })),
    );
    assertEquals(await response.text(), text);
    assertEquals(response.headers.get("etag"), '"mine"');
    assertEquals(response.headers.get("content-length"), `${bytes.length}`);
  }
});

test("createHandler() refuses an encoded list that would break the message", async () => {
  const body = new TextEncoder().encode("[]");
  for (
    const list of [
      { body, byteLength: 2, etag: "mine" },
      { body, byteLength: 2, etag: '"a"\r\nX: y' },
      { body, byteLength: 2, etag: '"a,b"' },
      { body, byteLength: 3, etag: '"mine"' },
      { body: "é", byteLength: 1, etag: '"mine"' },
      { body: "[]", byteLength: NaN, etag: '"mine"' },
      { body: 5 as unknown as string, byteLength: 1, etag: '"mine"' },
    ]
  ) {
    const errors: unknown[] = [];
    const response = await ask(listing(() => list), "", {
      onError: (error) => errors.push(error),
    });
    assertEquals(response.status, 400);
    assertEquals(errors.length, 1);
  }
});

test("createHandler() gives what a store threw to onError and to nobody else", async () => {
  const cause = new Error("password is hunter2");
  const stores: PlantStore[] = [
    {
      authenticate: () => {
        throw cause;
      },
    },
    { authenticate: () => Promise.reject(cause) },
    listing(() => {
      throw cause;
    }),
    listing(() => Promise.reject(cause)),
  ];
  for (const store of stores) {
    const errors: unknown[] = [];
    const response = await ask(store, "", {
      onError: (error) => errors.push(error),
    });
    const body = await response.text();
    assertEquals(response.status, 400);
    assertEquals(JSON.parse(body).error, 500);
    assertNotMatch(body, /hunter2/);
    assertEquals(errors, [cause]);
  }
});

test("createHandler() does not report what is only unavailable", async () => {
  const errors: unknown[] = [];
  const error = new StoreUnavailableError("away");
  const response = await ask(listing(() => Promise.reject(error)), "", {
    onError: (error) => errors.push(error),
  });
  assertEquals(response.status, 503);
  assertEquals(errors, []);
});

test("createHandler() reports why it is not ready, unless it is only unavailable", async () => {
  for (
    const [error, reported] of [
      [new Error("broken"), 1],
      [new StoreUnavailableError("away"), 0],
    ] as const
  ) {
    const errors: unknown[] = [];
    const store = { ...listing(() => []), ready: () => Promise.reject(error) };
    const handler = createHandler(store, {
      onError: (error) => errors.push(error),
    });
    const { status } = await handler(new Request("http://h/readyz"));
    assertEquals([status, errors.length], [503, reported]);
  }
});

test("createHandler() answers though onError and onResponse throw", async () => {
  const fail = () => {
    throw new Error("the log is full");
  };
  const response = await ask(listing(fail), "", {
    onError: fail,
    onResponse: fail,
  });
  assertEquals(response.status, 400);
});

test("createHandler() tells onResponse of every reply, and no secret", async () => {
  const events: ResponseEvent[] = [];
  const handler = createHandler(listing(() => PLANTS), {
    onResponse: (event) => events.push(event),
  });
  const headers = new Headers({ authorization: "Bearer s3cret" });
  for (
    const [method, target] of [
      ["GET", "/%70lants?limit=1&access_token=s3cret"],
      ["HEAD", "/plants?limit=s3cret"],
      ["POST", "/plants"],
      ["OPTIONS", "/nope"],
      ["GET", "ftp://s3cret@h/plants?access_token=s3cret"],
    ]
  ) {
    // No constructor makes a request of the last target, but a server does.
    const url = new URL(target!, "http://h").href;
    await handler({ method, url, headers } as Request);
  }
  assertEquals(
    events.map(({ method, path, status }) => `${method} ${path} ${status}`),
    [
      "GET /plants 200",
      "HEAD /plants 400",
      "POST /plants 405",
      "OPTIONS /nope 404",
      "GET  404",
    ],
  );
  assert(events.every(({ duration }) => duration >= 0));
  assertNotMatch(JSON.stringify(events), /s3cret/);
});

test("createHandler() tells onResponse who asked and how much was sent", async () => {
  const events: ResponseEvent[] = [];
  const onResponse = (event: ResponseEvent) => void events.push(event);
  const store = listing(() => Promise.resolve([{ name: "\u00e9" }]));
  const response = await ask(store, "", { onResponse });
  const length = Number(response.headers.get("content-length"));
  const etag = response.headers.get("etag")!;
  const handler = createHandler(store, { onResponse });
  const authorization = "Bearer t";
  for (
    const [method, target, headers] of [
      ["HEAD", "/plants", { authorization }],
      ["GET", "/plants", { authorization, "if-none-match": etag }],
      ["GET", "/plants?limit=x", { authorization }],
      ["GET", "/plants", {}],
    ] as const
  ) await handler(new Request(`http://h${target}`, { method, headers }));
  assertEquals(
    events.map(({ user, bytes, status }) => [status, user, bytes > 0]),
    [
      [200, "u", true],
      [200, "u", false],
      [304, "u", false],
      [400, "u", true],
      [401, undefined, true],
    ],
  );
  assertEquals(events[0]!.bytes, length);
});

test("createHandler() gives a request the id that it came with, unless that may be a token", async () => {
  const token = `ps_${"k".repeat(43)}`;
  const ids: string[] = [];
  const handler = createHandler(listing(() => PLANTS), {
    onResponse: ({ requestId }) => ids.push(requestId),
  });
  for (
    const [given, isTaken] of [
      ["a", true],
      ["A-b_c.9".padEnd(64, "x"), true],
      ["A-b_c.9".padEnd(65, "x"), false],
      ["two words", false],
      ["", false],
      ["s3cret", false],
      [token, false],
      ["0123456789abcdef".repeat(4), false],
    ] as const
  ) {
    const response = await handler(
      new Request("http://h/plants", {
        headers: { authorization: "Bearer s3cret", "x-request-id": given },
      }),
    );
    const id = response.headers.get("x-request-id");
    assertEquals(id, ids.at(-1));
    assertEquals(id === given, isTaken, given);
    assertMatch(id!, /^[\w.-]{1,64}$/);
    assertMatch(
      response.headers.get("access-control-expose-headers") ?? "",
      /, X-Request-Id$/,
    );
  }
  assertEquals(new Set(ids).size, ids.length);
  // Without a log nobody asked for an id.
  const quiet = await ask(listing(() => PLANTS));
  assertEquals(quiet.headers.get("x-request-id"), null);
  assertNotMatch(
    quiet.headers.get("access-control-expose-headers")!,
    /request-id/i,
  );
});

test("createHandler() leaves out of the path what may be a token", async () => {
  const paths: string[] = [];
  const handler = createHandler(listing(() => PLANTS), {
    onResponse: ({ path }) => paths.push(path),
  });
  const token = `ps_${"k".repeat(43)}`;
  await handler(new Request(`http://h/plants/${token}/x`));
  await handler(new Request(`http://h/${"a".repeat(64)}`));
  assertEquals(paths, ["/plants/.../x", "/..."]);
});

test("/readyz tells what the store tells of its plants", async () => {
  const loaded = new Date(0), rejected = new Date(1_000);
  const handler = createHandler({
    authenticate: () => undefined,
    ready: () => Promise.resolve({ loaded, rejected }),
  });
  const response = await handler(new Request("http://h/readyz"));
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(await response.json(), {
    status: "ok",
    loaded: "1970-01-01T00:00:00.000Z",
    rejected: "1970-01-01T00:00:01.000Z",
  });
});

test("createHandler() never writes to its options", async () => {
  const options = Object.freeze({
    basePath: "/api",
    cors: Object.freeze(["https://a.example"]),
  });
  const store = Object.freeze(createMemoryStore({ plants: [], users: {} }));
  const response = await createHandler(store, options)(
    new Request("http://h/api/healthz"),
  );
  assertEquals(response.status, 200);
});

test("createHandler() takes a target from a relative URL too", async () => {
  const handler = createHandler(listing(() => PLANTS));
  const request = { method: "GET", url: "/healthz", headers: new Headers() };
  assertEquals((await handler(request as Request)).status, 200);
});

test("createHandler() takes the target * as the servers hand it on", async () => {
  const handler = createHandler(listing(() => PLANTS));
  const headers = new Headers();
  for (const url of ["http://h/*", "https://h:81/*", "http://h*"]) {
    const request = { method: "OPTIONS", url, headers } as Request;
    assertEquals((await handler(request)).status, 204, url);
  }
  for (const url of ["http://h*/", "http://h/x*", "http://h/?*"]) {
    const request = { method: "OPTIONS", url, headers } as Request;
    assertEquals((await handler(request)).status, 404, url);
  }
});

test("createHandler() refuses a base path that can't be one", () => {
  const store = createMemoryStore({ plants: [], users: {} });
  for (
    const basePath of [
      "",
      "/",
      "api",
      "/api/",
      "//",
      "//api",
      "/a//b",
      "/a?b",
      "/a#b",
      "/a b",
      "/..",
      "/a/../b",
      "/%2e",
      "/a\\b",
      "/a\n",
      "http://h/a",
      "/\uD800",
    ]
  ) {
    assertThrows(
      () => createHandler(store, { basePath }),
      RangeError,
      JSON.stringify(basePath),
      basePath,
    );
  }
});

test("createHandler() takes base paths in their canonical form", async () => {
  const store = createMemoryStore({ plants: [], users: {} });
  for (
    const [basePath, path] of [
      ["/a", "/a"],
      ["/a/b.c/~d", "/a/b.c/~d"],
      ["/caf\u00E9", "/caf%C3%A9"],
      ["/%61", "/a"],
    ]
  ) {
    const handler = createHandler(store, { basePath: basePath! });
    const response = await handler(new Request(`http://h${path}/healthz`));
    assertEquals(response.status, 200, basePath);
  }
});

test("createHandler() refuses origins that no browser sends", () => {
  const store = createMemoryStore({ plants: [], users: {} });
  for (
    const cors of [
      "",
      "a.example",
      "https://a.example/",
      "https://A.example",
      "*,https://a.example",
      "https://a.example:443",
      "https://u@a.example",
      ["https://a.example", "off"],
      "https://a.example,",
      "on",
    ]
  ) {
    assertThrows(() => createHandler(store, { cors }), RangeError, "origin");
  }
});

test("createHandler() shares no bytes between responses", async () => {
  const handler = createHandler(createMemoryStore({
    plants: Array.from({ length: 1_000 }, (_, at) => ({ name: `plant ${at}` })),
    users: { u: { plants: "all", tokens: ["t"] } },
  }));
  for (const path of ["/plants", "/plants?limit=2", "/healthz", "/nope"]) {
    const request = () =>
      new Request(`http://h${path}`, {
        headers: { authorization: "Bearer t" },
      });
    const expected = await (await handler(request())).text();
    for (let time = 0; time < 3; time++) {
      const bytes = new Uint8Array(
        await (await handler(request())).arrayBuffer(),
      );
      assertEquals(new TextDecoder().decode(bytes), expected, path);
      bytes.fill(0);
    }
  }
});
