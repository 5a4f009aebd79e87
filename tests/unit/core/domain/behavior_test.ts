import { test, type TestContext } from "node:test";
import { assertEquals } from "@std/assert";
import {
  type Behavior,
  createHandler,
  createMemoryStore,
  type Handler,
  type PlantStore,
  StoreUnavailableError,
  withBehavior,
} from "../../../../mod.ts";

const PLANTS = [{ name: "a" }, { name: "b" }];

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
const createOpen = (behaviors: Readonly<Record<string, Behavior>>): Handler =>
  createHandler(withBehavior(open, behaviors));

test("withBehavior() fails the first N of every M lists of each token", async () => {
  const handler = createOpen({ x: { fail: "1/2" }, y: { fail: "2/3" } });
  const results = new Map<string, boolean[]>([["x", []], ["y", []]]);
  for (const token of "xyyxxyyxyxy") {
    results.get(token)!.push(await isFailing(handler, token));
  }
  assertEquals(results.get("x"), [true, false, true, false, true]);
  assertEquals(results.get("y"), [true, true, false, true, true, false]);
});

/** Makes `Math.random` return a number. */
function mockRandom(t: TestContext, next: () => number): void {
  t.mock.method(Math, "random", next);
  t.after(() => t.mock.restoreAll()); // Deno and Bun do not restore it
}

test("withBehavior() fails at the given rate", async (t) => {
  let number = 0;
  mockRandom(t, () => number);
  for (
    const [rate, next, expected] of [
      [1, 0, true],
      [1, 0.01, false],
      [100, 0.999, true],
    ] as const
  ) {
    number = next;
    const handler = createOpen({ x: { fail: `${rate}%` } });
    assertEquals(await isFailing(handler, "x"), expected, `${rate}%`);
  }
});

/** Runs everything that does not wait for a timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

for (
  const [delay, number, milliseconds] of [
    [300, 0.999, 300],
    ["200-800", 0, 200],
    ["200-800", 0.999, 800],
  ] as const
) {
  test(`withBehavior() delays lists by ${delay}: ${milliseconds} ms, also failing ones`, async (t) => {
    const { timers } = t.mock;
    timers.enable({ apis: ["setTimeout"] });
    t.after(() => timers.reset()); // Deno does not reset them
    mockRandom(t, () => number);
    const behavior = { delay, fail: "1/2" } as Behavior;
    const handler = createOpen({ x: behavior });
    for (const expected of [true, false]) {
      let result: boolean | undefined;
      isFailing(handler, "x").then((isFailing) => result = isFailing);
      await settle();
      timers.tick(milliseconds - 1);
      await settle();
      assertEquals(result, undefined);
      timers.tick(1);
      await settle();
      assertEquals(result, expected);
    }
  });
}

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
  assertEquals(await isFailing(handler, "1"), true); // evicted
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
  const user = { plants: "all" } as const;
  const own = createMemoryStore({
    plants: [],
    users: {
      x: { ...user, tokens: ["x"], behavior: { fail: "1/2" } },
      y: { ...user, tokens: ["y"] },
      z: { ...user, tokens: ["z"], behavior: { status: 500 } },
    },
  });
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

for (const [status, retryAfter] of [[429, "1"], [500, null]] as const) {
  test(`a list can fail with ${status}`, async () => {
    const handler = createOpen({ x: { fail: "100%", status } });
    const response = await send(handler, "x");
    assertEquals(response.status, status);
    assertEquals(response.headers.get("retry-after"), retryAfter);
    assertEquals((await response.json()).error, status);
  });
}

for (
  const [target, init, status] of [
    ["/plants", { headers: { authorization: "Bearer unknown" } }, 401],
    ["/plants", { headers: { authorization: "" } }, 401],
    ["/plants?limit=x", {}, 400],
    ["/nope", {}, 404],
    ["/plants", { method: "POST" }, 405],
    ["/plants", { method: "OPTIONS" }, 204],
    ["/healthz", {}, 200],
    ["/readyz", {}, 503],
  ] as const
) {
  test(`a behavior does not affect ${target} ${JSON.stringify(init)}, which is not counted`, async () => {
    const ready = () => Promise.reject(new StoreUnavailableError());
    const authenticate = (token: string) =>
      token === "x" ? open.authenticate(token) : undefined;
    const store = withBehavior({ authenticate, ready }, { x: { fail: "1/2" } });
    const handler = createHandler(store);
    assertEquals(await isFailing(handler, "x"), true);
    assertEquals((await send(handler, "x", target, init)).status, status);
    assertEquals(await isFailing(handler, "x"), false);
  });
}

for (
  const [behavior, message] of [
    [{ fail: "3/2" }, 'behavior["fail"]: fail must be a pattern'],
    [{ delay: "800-200" }, 'behavior["delay"]: delay must be a number'],
    [{ fail: "100%", status: 502 }, 'behavior["status"]: status must be 429'],
    ["slow", "behavior: expected a behavior object"],
  ] as const
) {
  test(`a handler reports an invalid behavior of a custom store: ${JSON.stringify(behavior)}`, async () => {
    const errors: Error[] = [];
    const user = { name: "u", behavior: behavior as Behavior };
    const handler = createHandler({
      authenticate: () => ({ ...user, list: () => PLANTS }),
    }, { onError: (error) => void errors.push(error as Error) });
    const response = await send(handler, "x");
    assertEquals(response.status, 400);
    assertEquals((await response.json()).error, 500);
    assertEquals(errors.map((each) => each.message.slice(0, message.length)), [
      message,
    ]);
  });
}
