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
  type ReplyEvent,
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
  return { view: () => ({ user: "u", list }) };
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
    view(token: string) {
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
      view: () => {
        throw cause;
      },
    },
    { view: () => Promise.reject(cause) },
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

test("createHandler() answers though onError and onReply throw", async () => {
  const fail = () => {
    throw new Error("the log is full");
  };
  const response = await ask(listing(fail), "", {
    onError: fail,
    onReply: fail,
  });
  assertEquals(response.status, 400);
});

test("createHandler() tells onReply of every reply, and no secret", async () => {
  const events: ReplyEvent[] = [];
  const handler = createHandler(listing(() => PLANTS), {
    onReply: (event) => events.push(event),
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
