import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as v from "valibot";
import {
  createHandler,
  ErrorSchema,
  type HandlerOptions,
  type PlantStore,
} from "../../mod.ts";

// Options, stores, and resources are other people's objects: the same properties
// can be held in different ways, and functions can return or throw anything.

const PLANTS = [{ name: "a" }, { name: "b" }];
const headers = { authorization: "Bearer t" };

/** A class whose instances have their properties on the prototype, as getters. */
function createInstance<T extends object>(value: T): T {
  class Instance {}
  for (const key of Object.keys(value) as (keyof T)[]) {
    Object.defineProperty(Instance.prototype, key, { get: () => value[key] });
  }
  return new Instance() as T;
}

/** Ways to present the same properties. */
const PRESENT: Readonly<Record<string, <T extends object>(value: T) => T>> = {
  frozen: (value) => Object.freeze({ ...value }),
  "without a prototype": (value) => Object.assign(Object.create(null), value),
  inherited: (value) => Object.create(value),
  "instances with getters": createInstance,
  proxies: (value) => new Proxy(value, {}),
};

for (const [name, present] of Object.entries(PRESENT)) {
  test(`createHandler() accepts options and stores that are ${name}`, async () => {
    // A promise of another library
    const settle = <T>(value: T) =>
      present({
        then: (resolve: (value: T) => void) => setTimeout(resolve, 0, value),
      }) as unknown as Promise<T>;
    const user = present({ name: "u", list: () => settle(PLANTS) });
    const store = present<PlantStore>({
      authenticate: () => settle(user),
      ready: () => settle(present({ loadedAt: new Date(0) })),
    });
    const handler = createHandler(
      store,
      present<HandlerOptions>({
        basePath: "/api",
        publicUrl: "https://p.example/api",
        explorer: ({ baseUrl }) =>
          settle(present({ status: 200, headers: {}, body: baseUrl })),
      }),
    );
    for (
      const [target, expected] of [
        ["/api/plants?limit=1", '[{"name":"a"}]'],
        ["/api/", "https://p.example/api"],
        [
          "/api/readyz",
          '{"status":"ok","loadedAt":"1970-01-01T00:00:00.000Z"}',
        ],
      ] as const
    ) {
      const response = await handler(target, { headers });
      assertEquals(await response.text(), expected);
    }
  });
}

/** Values that no function may expect. */
const VALUES: readonly unknown[] = [
  ...[undefined, null, true, NaN, 1n, "", "text", Symbol("s"), () => {}],
  ...[[], [undefined], [1n], [{}], {}, new Date(NaN), new Uint8Array(1)],
  ...[Object.create(null), { name: 1, list: 1 }, { then: null }, { status: 1 }],
  { status: 200, headers: null },
  { status: 200, headers: { "": "", a: Symbol("s") } },
  new Proxy({}, {
    get() {
      throw null;
    },
  }),
];

/** Functions that return or throw a value, or a promise or thenable that does. */
const OUTCOMES: readonly ((value: unknown) => unknown)[] = [
  (value) => value,
  (value) => Promise.resolve(value),
  (value) => Promise.reject(value),
  (value) => ({
    then() {
      throw value;
    },
  }),
  (value) => {
    throw value;
  },
];

const METHODS = ["authenticate", "list", "ready", "explorer"] as const;

for (const method of METHODS) {
  test(`a handler responds whatever ${method}() does`, async () => {
    let act: () => unknown;
    const find = (name: string, value: unknown) =>
      name === method ? () => act() : () => value;
    const user = { name: "u", list: find("list", PLANTS) };
    const handler = createHandler({
      authenticate: find("authenticate", user),
      ready: find("ready", undefined),
    } as PlantStore, {
      explorer: find("explorer", { status: 200, headers: {} }),
      onError() {},
    } as HandlerOptions);
    for (const value of VALUES) {
      for (const outcome of OUTCOMES) {
        act = () => outcome(value);
        for (const target of ["/plants?limit=2", "/readyz", "/"]) {
          const response = await handler(target, { headers });
          const body = await response.text();
          if (response.status < 400) continue;
          assert(v.is(ErrorSchema, JSON.parse(body)), body);
        }
      }
    }
  });
}

test("createHandler() reads each option once", () => {
  const read: PropertyKey[] = [];
  const options = new Proxy({ basePath: "/api", onError() {} }, {
    get(target, key) {
      read.push(key);
      return Reflect.get(target, key);
    },
  });
  createHandler({ authenticate: () => undefined }, options);
  assertEquals(read.length, new Set(read).size);
});
