import { test } from "node:test";
import { assertMatch } from "@std/assert";
import {
  createHandler,
  type HandlerOptions,
  type PlantStore,
} from "../../../mod.ts";
import { checkPlant } from "../../../src/core/domain/store.ts";

// Stores and resources are other people's functions, which can return or throw
// anything, also as promises of other libraries.

const PLANTS = [{ name: "a" }, { name: "b" }];
const headers = { authorization: "Bearer t" };

/** Values that no function may expect. */
const VALUES: readonly unknown[] = [
  ...[undefined, null, true, NaN, 1n, "", "text", Symbol("s"), () => {}],
  ...[[], [undefined], [1n], [{}], {}, new Date(NaN), new Uint8Array(1)],
  ...[Object.create(null), { name: 1, list: 1 }, { then: null }],
  { text: 1, headers: null },
  { text: Symbol("s") },
  { text: "", headers: { "": "", a: Symbol("s") } },
];

/** Functions that return or throw a value, or a promise or thenable that does. */
const OUTCOMES: readonly ((value: unknown) => unknown)[] = [
  (value) => value,
  (value) => Promise.resolve(value),
  (value) => Promise.reject(value),
  (value) => ({ then: (resolve: (value: unknown) => void) => resolve(value) }),
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
    const store = {
      authenticate: find("authenticate", user),
      ready: find("ready", undefined),
    };
    const options = {
      explorer: find("explorer", { headers: {}, text: "" }),
      onError() {},
    };
    const handler = createHandler(
      Object.freeze(store) as PlantStore,
      Object.freeze(options) as HandlerOptions,
    );
    for (const value of VALUES) {
      for (const outcome of OUTCOMES) {
        act = () => outcome(value);
        for (const target of ["/plants?limit=2", "/readyz", "/"]) {
          const response = await handler(target, { headers });
          const body = await response.text();
          if (response.status >= 400) {
            assertMatch(body, /^\{"error":\d{3},"message":"[^"]+"\}$/);
          } else if (target.startsWith("/plants")) {
            JSON.parse(body).forEach(checkPlant);
          }
        }
      }
    }
  });
}
