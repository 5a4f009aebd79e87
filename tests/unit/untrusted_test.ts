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

/** Ways to present the same properties. */
const PRESENT: Readonly<Record<string, <T extends object>(value: T) => T>> = {
  frozen: (value) => Object.freeze({ ...value }),
  "without a prototype": (value) => Object.assign(Object.create(null), value),
  inherited: (value) => Object.create(value),
};

for (const [name, present] of Object.entries(PRESENT)) {
  test(`createHandler() accepts options and stores that are ${name}`, async () => {
    // A promise of another library
    const settle = <T>(value: T) =>
      present({
        then: (resolve: (value: T) => void) => setTimeout(resolve, 0, value),
      }) as unknown as Promise<T>;
    const user = present({ name: "u", list: () => settle(PLANTS) });
    const store = present<PlantStore>({ authenticate: () => settle(user) });
    const options = present<HandlerOptions>({
      basePath: "/api",
      explorer: ({ baseUrl }) =>
        settle(present({ status: 200, headers: {}, body: baseUrl })),
    });
    const handler = createHandler(store, options);
    const plants = await handler("/api/plants?limit=1", { headers });
    assertEquals(await plants.json(), PLANTS.slice(0, 1));
    const page = await handler("/api/", { headers });
    assertEquals(await page.text(), "http://localhost/api");
  });
}

/** Values that no function may expect. */
const VALUES: readonly unknown[] = [
  ...[undefined, null, true, NaN, 1n, "", "text", Symbol("s"), () => {}],
  ...[[], [undefined], [1n], [{}], {}, new Date(NaN), new Uint8Array(1)],
  ...[Object.create(null), { name: 1, list: 1 }, { then: null }, { status: 1 }],
  { status: 200, headers: null },
  { status: 200, headers: { "": "", a: Symbol("s") } },
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

for (const method of ["authenticate", "list", "ready", "explorer"]) {
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
