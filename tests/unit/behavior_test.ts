import { writeFile } from "node:fs/promises";
import { test, type TestContext } from "node:test";
import { assertEquals, assertThrows } from "@std/assert";
import {
  type Behavior,
  createHandler,
  createMemoryStore,
  type Handler,
  type PlantStore,
  StoreUnavailableError,
  withBehavior,
} from "../../mod.ts";
import { openapi } from "../../src/openapi/openapi.ts";
import { explorer } from "../../src/explorer/explorer.ts";
import { openFileStore } from "../../src/stores/files.ts";
import fc from "../support/fast_check.ts";
import { writeFiles } from "../support/files.ts";

const PLANTS = [{ name: "a" }, { name: "b" }];

/** Users by name, which is also their token. */
type Behaviors = Readonly<Record<string, Behavior>>;

/** Creates a memory store with a user for each behavior. */
function createStore(behaviors: Behaviors): PlantStore {
  const users = Object.entries(behaviors).map(([name, behavior]) =>
    [name, { plants: "all", tokens: [name], behavior }] as const
  );
  return createMemoryStore({
    plants: PLANTS,
    users: Object.fromEntries(users),
  });
}

/** A store in which every token is valid. */
const open: PlantStore = {
  authenticate: (token) => ({ name: token, list: () => PLANTS }),
};

const send = (
  handler: Handler,
  token: string,
  target = "/plants",
  init: RequestInit = {},
): Promise<Response> =>
  handler(target, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  });

/** Whether the next list for a token fails. */
async function isFailing(handler: Handler, token: string): Promise<boolean> {
  const response = await send(handler, token);
  if (response.status === 503) return true;
  assertEquals(await response.json(), PLANTS);
  return false;
}

/** Creates a handler for the open store. */
const createOpen = (behaviors: Behaviors): Handler =>
  createHandler(withBehavior(open, behaviors));

const pattern = fc.tuple(fc.integer({ min: 1, max: 100 }), fc.nat(99))
  .map(([of, count]) => ({ of, count: Math.min(count + 1, of) }));

const STORES: Readonly<Record<string, (behaviors: Behaviors) => Handler>> = {
  createMemoryStore: (behaviors) => createHandler(createStore(behaviors)),
  withBehavior: createOpen,
};

for (const [name, create] of Object.entries(STORES)) {
  test(`${name}() fails the first N of every M lists of each token, in any order`, async () => {
    const property = fc.asyncProperty(
      ...[pattern, pattern],
      fc.array(fc.constantFrom("x", "y"), { maxLength: 300 }),
      async (x, y, order) => {
        const patterns = { x, y }, counts = { x: 0, y: 0 };
        const handler = create({
          x: { fail: `${x.count}/${x.of}` },
          y: { fail: `${y.count}/${y.of}` },
        });
        for (const token of order as ("x" | "y")[]) {
          const { count, of } = patterns[token];
          const expected = counts[token]++ % of < count;
          assertEquals(await isFailing(handler, token), expected);
        }
      },
    );
    await fc.assert(property, { numRuns: 50 });
  });
}

/** A number from 0 to 1, as `Math.random` returns. */
const unit = fc.nat(999_999).map((number) => number / 1_000_000);

/** Makes `Math.random` return a number. */
function mockRandom(t: TestContext, next: () => number): void {
  t.mock.method(Math, "random", next);
  t.after(() => t.mock.restoreAll()); // Deno and Bun do not restore it
}

test("withBehavior() fails at the given rate", async (t) => {
  let number = 0;
  mockRandom(t, () => number);
  const rate = fc.integer({ min: 1, max: 100 });
  const property = fc.asyncProperty(rate, unit, async (rate, next) => {
    number = next;
    const handler = createOpen({ x: { fail: `${rate}%` } });
    assertEquals(await isFailing(handler, "x"), number < rate / 100);
  });
  await fc.assert(property, { numRuns: 1_000 });
});

/** Runs everything that does not wait for a timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

test("withBehavior() delays lists, including failing ones, by a number or within a range", async (t) => {
  const { timers } = t.mock;
  timers.enable({ apis: ["setTimeout"] });
  t.after(() => timers.reset()); // Deno does not reset them
  let number = 0;
  mockRandom(t, () => number);
  const milliseconds = fc.integer({ min: 1, max: 5_000 });
  const property = fc.asyncProperty(
    ...[milliseconds, milliseconds, unit, fc.boolean()],
    async (one, other, next, isRange) => {
      number = next;
      const min = Math.min(one, other);
      const max = isRange ? Math.max(one, other) : min;
      const delay = isRange ? `${min}-${max}` : min;
      const handler = createOpen({ x: { delay, fail: "1/2" } });
      for (const expected of [true, false]) {
        let result: boolean | undefined;
        isFailing(handler, "x").then((isFailing) => result = isFailing);
        await settle();
        timers.tick(min + Math.floor(number * (max - min + 1)) - 1);
        await settle();
        assertEquals(result, undefined);
        timers.tick(1);
        await settle();
        assertEquals(result, expected);
      }
    },
  );
  await fc.assert(property);
});

test("withBehavior() counts when a list is requested, not after its delay", async (t) => {
  const numbers = [0.99, 0];
  mockRandom(t, () => numbers.shift()!);
  const handler = createOpen({ x: { delay: "0-20", fail: "1/2" } });
  const results = [isFailing(handler, "x"), isFailing(handler, "x")];
  assertEquals(await Promise.all(results), [true, false]);
});

test("a handler remembers the 1,000 most recently used tokens", async () => {
  const handler = createHandler({
    authenticate: () => ({
      name: "x",
      behavior: { fail: "1/3" },
      list: () => PLANTS,
    }),
  });
  for (let at = 0; at < 1_000; at++) await isFailing(handler, `${at}`);
  assertEquals(await isFailing(handler, "0"), false); // now the most recent one
  await isFailing(handler, "another");
  assertEquals(await isFailing(handler, "0"), false);
  assertEquals(await isFailing(handler, "2"), false);
  assertEquals(await isFailing(handler, "1"), true); // forgotten
});

test("a request with a token that is revoked during the delay receives no list", async () => {
  const user = (token: string) => ({
    plants: PLANTS,
    users: {
      u: { plants: "all", tokens: [token], behavior: { delay: 50 } },
    },
  } as const);
  const store = createMemoryStore(user("x"));
  const response = send(createHandler(store), "x");
  await settle();
  store.replace(user("y"));
  assertEquals((await response).status, 401);
});

test("withBehavior() changes what a user's own behavior does not set", async () => {
  const own = createStore({ x: { fail: "1/2" }, y: {}, z: { status: 500 } });
  const store = withBehavior(own, { z: { fail: "2/2" } }, {
    fail: "100%",
    status: 429,
  });
  const behaviors = ["x", "y", "z"].map(async (token) =>
    (await store.authenticate(token))?.behavior
  );
  assertEquals(await Promise.all(behaviors), [
    { fail: "1/2", status: 429 },
    { fail: "100%", status: 429 },
    { fail: "2/2", status: 500 },
  ]);
});

for (
  const [status, retryAfter] of [[429, "1"], [500, null], [503, "1"]] as const
) {
  test(`a list can fail with ${status}`, async () => {
    const handler = createOpen({ x: { fail: "1/2", status } });
    const response = await send(handler, "x");
    assertEquals(response.status, status);
    assertEquals(response.headers.get("retry-after"), retryAfter);
    assertEquals((await response.json()).error, status);
    assertEquals((await send(handler, "x")).status, 200);
  });
}

test("withBehavior() does not affect the readiness of the store or unknown tokens", async () => {
  const store = { authenticate: () => undefined, loadedAt: new Date() };
  const behaviors = { x: { fail: "100%" }, y: {} } as const;
  assertEquals(withBehavior(store, behaviors).ready, undefined);
  assertEquals(
    await withBehavior({ ...store, ready: () => store }, {}).ready!(),
    store,
  );
  assertEquals(
    await withBehavior(store, behaviors).authenticate("x"),
    undefined,
  );
});

for (
  const [behavior, message] of [
    [
      { delay: NaN },
      'users["x"]["delay"]: delay must be a number of milliseconds from 0 to 5000',
    ],
    [{ fail: "3/2" }, 'users["x"]["fail"]: fail must be a pattern such as'],
    [{ rate: 1 }, 'users["x"]: unknown property "rate"'],
  ] as const
) {
  test(`withBehavior() rejects ${JSON.stringify(behavior)}`, () => {
    const create = () => withBehavior(open, { x: behavior as Behavior });
    assertThrows(create, TypeError, message);
  });
}

for (
  const [line, headers] of [
    ["GET /plants", { authorization: "Bearer unknown" }],
    ["GET /plants", { authorization: "" }],
    ["GET /plants?limit=x", {}],
    ["GET /nope", {}],
    ["POST /plants", {}],
    ["OPTIONS /plants", {}],
    ["OPTIONS /plants", {
      origin: "http://a",
      "access-control-request-method": "GET",
    }],
    ["GET /healthz", {}],
    ["GET /readyz", {}],
    ["GET /", {}],
    ["GET /openapi.json", {}],
  ] as readonly (readonly [string, Record<string, string>])[]
) {
  test(`a behavior does not affect ${line} ${JSON.stringify(headers)}, which is not counted`, async () => {
    const store = createStore({ x: { delay: 0, fail: "1/2" } });
    const handler = createHandler(store, { explorer, openapi });
    const plain = createHandler(createStore({ x: {} }), { explorer, openapi });
    assertEquals((await send(handler, "x")).status, 503);
    const [method = "", target] = line.split(" ");
    const response = await send(handler, "x", target, { method, headers });
    const expected = await send(plain, "x", target, { method, headers });
    assertEquals(response.status, expected.status);
    assertEquals([...response.headers], [...expected.headers]);
    if (target !== "/readyz") { // which contains a time
      assertEquals(await response.text(), await expected.text());
    }
    assertEquals((await send(handler, "x")).status, 200);
  });
}

test("a failing list is the documented 503; HEAD and conditional requests count, too", async () => {
  const handler = createHandler(createStore({ x: { fail: "1/2" }, y: {} }));
  const unavailable = createHandler({
    authenticate() {
      throw new StoreUnavailableError("unavailable");
    },
  });
  const failure = await send(handler, "x");
  const expected = await send(unavailable, "x");
  assertEquals(failure.status, 503);
  assertEquals([...failure.headers], [...expected.headers]);
  assertEquals(await failure.text(), await expected.text());

  const head = await send(handler, "x", "/plants", { method: "HEAD" });
  assertEquals(head.status, 200);
  const headers = { "if-none-match": head.headers.get("etag")! };
  const statuses = [];
  for (let attempt = 0; attempt < 2; attempt++) {
    statuses.push((await send(handler, "x", "/plants", { headers })).status);
  }
  assertEquals(statuses, [503, 304]);
  const list = await send(handler, "y");
  assertEquals(head.headers.get("etag"), list.headers.get("etag"));
  await send(handler, "x");
  const limited = await send(handler, "x", "/plants?limit=1");
  assertEquals(await limited.json(), PLANTS.slice(0, 1));
});

test("openFileStore() applies behaviors, and counts across reloads", async (t) => {
  const content = (fail: string) =>
    JSON.stringify({
      x: {
        plants: "all",
        behavior: { fail },
        tokens: ["x"],
      },
    });
  const files = await writeFiles(t, {
    plants: PLANTS,
    tokens: content("2/3"),
  });
  await using store = await openFileStore({ ...files, watch: false });
  const handler = createHandler(store);
  assertEquals(await isFailing(handler, "x"), true);
  await store.reload();
  assertEquals(await isFailing(handler, "x"), true);
  await writeFile(files.tokens, content("1/3"));
  await store.reload();
  const results = [];
  for (let at = 0; at < 4; at++) results.push(await isFailing(handler, "x"));
  assertEquals(results, [false, true, false, false]);
});
