import { test } from "node:test";
import { runInNewContext } from "node:vm";
import {
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertRejects,
} from "@std/assert";
import {
  createHandler,
  createMemoryStore,
  type MaybePromise,
  type Plant,
  type PlantStore,
  type ResponseEvent,
  StoreUnavailableError,
  withBehavior,
} from "../../../mod.ts";

const PLANTS = [{ name: "a", tag: "x" }, { name: "b" }, { name: "c" }];
const headers = { authorization: "Bearer t" };

const memory = createMemoryStore({
  plants: PLANTS,
  users: { u: { plants: "all", tokens: ["t"] } },
});
const handler = createHandler(memory);

/** A store whose users see this list. */
function listing(
  list: (limit?: number) => MaybePromise<readonly Plant[]>,
): PlantStore {
  return { authenticate: () => ({ name: "u", list }) };
}

/** Requests the plants in a store. Returns the response and the reported errors. */
async function request(
  store: PlantStore,
  target = "/plants",
): Promise<{ readonly response: Response; readonly errors: unknown[] }> {
  const errors: unknown[] = [];
  const handler = createHandler(store, {
    onError(error) {
      errors.push(error);
      throw new Error("the log is full");
    },
  });
  return { response: await handler(target, { headers }), errors };
}

test("createHandler() writes unexpected errors to the console by default", async (t) => {
  const write = t.mock.method(console, "error", () => {});
  await createHandler(listing(() => Promise.reject("x")))("/plants", {
    headers,
  });
  assertEquals(write.mock.calls[0]?.arguments as unknown[], ["x"]);
});

test("createHandler() accepts options that are undefined", async () => {
  const basePath: string | undefined = undefined;
  const handler = createHandler(memory, { basePath, cors: undefined });
  assertEquals((await handler("/plants", { headers })).status, 200);
});

for (const authorization of ["", "Basic dTpw"]) {
  test(`createHandler() reports no bearer token in "${authorization}"`, async () => {
    const response = await handler("/plants", { headers: { authorization } });
    const { message } = await response.json();
    assertMatch(message, /^No bearer token; send /);
  });
}

for (const isAsync of [false, true]) {
  const name = isAsync ? "asynchronous" : "synchronous";
  test(`createHandler() treats a custom, ${name} store like the memory store`, async () => {
    const wrap = <T>(value: T) => isAsync ? Promise.resolve(value) : value;
    const limits: (number | undefined)[] = [];
    const { authenticate } = listing((limit) => {
      limits.push(limit);
      return wrap(PLANTS);
    });
    const store: PlantStore = { authenticate: (t) => wrap(authenticate(t)) };
    for (const query of ["", "?limit=2", "?limit=9"]) {
      const { response } = await request(store, `/plants${query}`);
      const expected = await handler(`/plants${query}`, { headers });
      assertEquals(await response.text(), await expected.text());
      assertEquals([...response.headers], [...expected.headers]);
    }
    assertEquals(limits, [undefined, 2, 9]);
    assertEquals((await request(store, "/readyz")).response.status, 200);
  });
}

test("createHandler() calls the methods of a store on the store", async () => {
  class Store implements PlantStore {
    readonly #plants = PLANTS;
    readonly name = "u";
    authenticate() {
      return this;
    }
    list() {
      return this.#plants;
    }
    ready() {
      assertEquals(this.#plants, PLANTS);
    }
  }
  for (const target of ["/plants", "/readyz"]) {
    const { response } = await request(new Store(), target);
    assertEquals(response.status, 200);
  }
});

/** The code of an error in another realm. */
const FOREIGN_ERROR =
  'Object.assign(new Error("hunter2"), { name: "StoreUnavailableError" })';

for (
  const [error, status, reported] of [
    [new Error("password is hunter2"), 400, 1],
    [new StoreUnavailableError("password is hunter2"), 503, 0],
    [runInNewContext(FOREIGN_ERROR), 503, 0],
  ] as const
) {
  test(`createHandler() reports ${reported} errors if a store fails with ${error}`, async () => {
    const reject = () => Promise.reject(error);
    for (
      const [store, target, expected] of [
        [{ authenticate: reject }, "/plants", status],
        [listing(reject), "/plants", status],
        [{ ...memory, ready: reject }, "/readyz", 503],
      ] as const
    ) {
      const { response, errors } = await request(store, target);
      assertEquals(response.status, expected);
      assertNotMatch(await response.text(), /hunter2/);
      assertEquals(errors, Array(reported).fill(error));
    }
  });
}

test("/readyz returns what ready() reports", async () => {
  const handler = createHandler({
    authenticate: () => undefined,
    ready: () =>
      Promise.resolve({ loadedAt: new Date(0), rejectedAt: new Date(1_000) }),
  });
  const response = await handler("/readyz");
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(await response.json(), {
    status: "ok",
    loadedAt: "1970-01-01T00:00:00.000Z",
    rejectedAt: "1970-01-01T00:00:01.000Z",
  });
});

for (
  const [method, url, status] of [
    ["GET", `/healthz?${"x".repeat(9_000)}`, 200],
    ["OPTIONS", "https://h:81/*", 204],
    ["OPTIONS", "http://h*", 204],
    ["OPTIONS", "http://h/x*", 404],
    ["OPTIONS", "http://h/?*", 404],
  ] as const
) {
  test(`handler() responds to ${method} ${url} with ${status}`, async () => {
    // A server can create a request with a relative URL, but not a constructor.
    const request = { method, url, headers: new Headers() };
    assertEquals((await handler(request as Request)).status, status);
  });
}

const NO_PLANT = "plants, got [0] with name: undefined, tag: undefined";

for (
  const [list, problem] of [
    [null, "an array or an iterable, got null"],
    ["[]", "an array or an iterable, got string"],
    [{ slice: () => [] }, "an array or an iterable, got object"],
    [
      [{ name: "a" }, { name: "b", tag: null }],
      "plants, got [1] with name: string, tag: null",
    ],
    [[{ nam: "a" }], NO_PLANT],
    [
      [{ name: 5, tag: "a" }],
      "plants, got [0] with name: number, tag: string",
    ],
    [[null], NO_PLANT],
    // Only lists of this package encode their plants.
    [{
      version: "1",
      encode: () => ["1"],
      *[Symbol.iterator]() {
        yield 1;
      },
    }, NO_PLANT],
    [["a"], NO_PLANT],
    [[() => {}], "plants, got [0] with name: string, tag: undefined"],
    [Array(1), NO_PLANT],
  ] as const
) {
  test(`a custom list is checked: ${JSON.stringify(list)}`, async () => {
    const custom = listing(() => list as unknown as readonly Plant[]);
    const { response, errors } = await request(custom);
    assertEquals([response.status, errors.length], [400, 1]);
    assertEquals(`${errors[0]}`, `TypeError: list() must return ${problem}`);
  });
}

test("a custom list can have other properties, and tags that are undefined", async () => {
  const plants = [{ id: 1, name: "a", tag: undefined }] as unknown;
  const { response } = await request(listing(() => plants as readonly Plant[]));
  assertEquals(await response.json(), [{ id: 1, name: "a" }]);
});

test("an abort ends a delay, and onResponse is called with 499 then", async () => {
  const statuses: number[] = [];
  const onResponse = ({ status }: ResponseEvent) => void statuses.push(status);
  const open = (delay: number) =>
    createHandler(withBehavior(memory, {}, { delay }), { onResponse });
  const controller = new AbortController();
  const { signal } = controller;
  const aborted = open(5_000)("/plants", { headers, signal });
  controller.abort();
  await assertRejects(() => aborted, DOMException);
  await open(100)("/plants", { headers });
  assertEquals(statuses, [499, 200]);
});

test("an abort before a delay omits the delay", async () => {
  const controller = new AbortController();
  const store: PlantStore = {
    authenticate(token) {
      controller.abort();
      return memory.authenticate(token);
    },
  };
  const { signal } = controller;
  const event = new Promise<ResponseEvent>((onResponse) => {
    const slow = withBehavior(store, {}, { delay: 3_000 });
    const handler = createHandler(slow, { onResponse });
    handler("/plants", { headers, signal }).catch(() => {});
  });
  assertEquals((await event).status, 499);
});

test("handler() says what it expects", async () => {
  const call = handler as unknown as (input?: unknown) => Promise<Response>;
  for (const input of [undefined, null, 5]) {
    await assertRejects(() => call(input), TypeError, "expected a Request or");
  }
});

for (
  const input of [
    new Request("http://h/plants?limit=1", { headers }),
    "https://h.example/plants?limit=1",
    "/plants?limit=1",
    "plants?limit=1",
    new URL("http://h/plants?limit=1"),
  ]
) {
  test(`handler() accepts the ${input.constructor.name} ${input}`, async () => {
    const response = await (input instanceof Request
      ? handler(input)
      : handler(input, { headers }));
    assertEquals(await response.json(), PLANTS.slice(0, 1));
  });
}

test("handler() ignores arguments that servers pass after a Request", async () => {
  const request = new Request("http://h/plants", { headers });
  const init = { method: "POST", headers: {} };
  assertEquals((await handler(request, init, {})).status, 200);
  const { status } = await handler("/plants", { ...init, body: "x" });
  assertEquals(status, 405);
  await assertRejects(() => handler("http://"), TypeError);
});

// On Deno, the signal of a server's request cannot be read without a warning.
const hasRequestSignal = !("Deno" in globalThis);

for (const form of ["a URL", ...hasRequestSignal ? ["a Request"] : []]) {
  for (const time of ["before it", "while the store waits", "by the store"]) {
    test(`handler() with ${form} rejects if the signal is aborted ${time}, as fetch does`, async () => {
      const controller = new AbortController();
      const reason = new RangeError("stopped");
      const abortIf = (now: string) => now === time && controller.abort(reason);
      let calls = 0;
      const handler = createHandler({
        authenticate() {
          calls++;
          abortIf("by the store");
          return time === "by the store" ? undefined : new Promise(() => {});
        },
      });
      const init = { headers, signal: controller.signal };
      abortIf("before it");
      const pending = form === "a URL"
        ? handler("/plants", init)
        : handler(new Request("http://h/plants", init));
      abortIf("while the store waits");
      assertEquals(await assertRejects(() => pending, RangeError), reason);
      assertEquals(calls, time === "before it" ? 0 : 1);
    });
  }
}

test("handler() never reads the signal of a request on Deno", async () => {
  const request = new Request("http://h/healthz");
  let isRead = false;
  Object.defineProperty(request, "signal", {
    get() {
      isRead = true;
      return new AbortController().signal;
    },
  });
  const handler = createHandler(memory);
  assertEquals((await handler(request)).status, 200);
  assertEquals(isRead, hasRequestSignal);
});
