import { assert } from "@std/assert";
import fc from "./fast_check.ts";
import * as v from "valibot";
import {
  ErrorSchema,
  type HandlerOptions,
  type MaybePromise,
  type PlantStore,
} from "../../mod.ts";
import { anyText } from "./text.ts";

// Options, stores, and resources are other people's objects: the same properties
// can be held in different ways, and functions can return or throw anything. The
// handler must respond, and the server must survive.

/** A class whose instances have their properties on the prototype, as getters. */
function createInstance<T extends object>(value: T): T {
  class Instance {
    readonly #value = value;
    static define(key: keyof T): void {
      Object.defineProperty(this.prototype, key, {
        get(this: Instance) {
          return this.#value[key];
        },
      });
    }
  }
  for (const key of Object.keys(value)) Instance.define(key as keyof T);
  return new Instance() as unknown as T;
}

/** Returns an object with the same properties. */
export type Present = <T extends object>(value: T) => T;

const PRESENT: Readonly<Record<string, Present>> = {
  plain: (value) => value,
  frozen: (value) => Object.freeze({ ...value }),
  "without a prototype": (value) => Object.assign(Object.create(null), value),
  inherited: (value) => Object.create(value),
  "an instance with getters": createInstance,
  "a proxy": (value) => new Proxy(value, {}),
};

/** One of several functions, which a failure shows by its name. */
const functionOf = <F extends <T extends object>(value: T) => unknown>(
  functions: Readonly<Record<string, F>>,
): fc.Arbitrary<F> =>
  fc.constantFrom(
    ...Object.entries(functions).map(([name, each]) =>
      Object.assign(each, { [fc.toStringMethod]: () => name })
    ),
  );

/** The ways to present an object. */
export const present: fc.Arbitrary<Present> = functionOf(PRESENT);

/** Returns a value or a promise for it. */
export type Settle = <T>(value: T) => MaybePromise<T>;

/** Returns an object that is like a promise. */
function createThenable<T>(start: (resolve: (value: T) => void) => void) {
  return { then: start } as unknown as Promise<T>;
}

const SETTLE: Readonly<Record<string, Settle>> = {
  "the value": (value) => value,
  "a promise": (value) => Promise.resolve(value),
  "a thenable": (value) => createThenable((resolve) => resolve(value)),
  "a late thenable": (value) =>
    createThenable((resolve) => void setTimeout(resolve, 0, value)),
  "a thenable with catch": <T>(value: T) =>
    Object.assign(createThenable<T>((resolve) => resolve(value)), {
      catch: () => undefined,
    }),
};

/** The ways to return a value. */
export const settle: fc.Arbitrary<Settle> = functionOf(SETTLE);

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withNullPrototype: true,
  withObjectString: true,
  withTypedArray: true,
});

const mostly = <T, U>(common: fc.Arbitrary<T>, ...rare: fc.Arbitrary<U>[]) =>
  fc.oneof({ weight: 4, arbitrary: common }, ...rare);

/** A function that returns or throws a value, or a promise that settles with it. */
const outcome = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<() => unknown> =>
  fc.tuple(
    value,
    settle,
    fc.constantFrom("return", "throw", "reject", "throw late", "reject late"),
  ).map(([value, settle, kind]) => () => {
    if (kind === "return") return settle(value);
    if (kind === "throw") throw value;
    if (kind === "reject") return Promise.reject(value);
    return {
      then(_: unknown, reject: (value: unknown) => void) {
        if (kind === "throw late") throw value;
        reject(value);
      },
    };
  });

const body = fc.oneof(anyText, fc.uint8Array(), anything);
const list = fc.oneof(
  anything,
  fc.array(fc.oneof(fc.record({ name: anyText }), anything)),
);
const user = mostly(
  outcome(list).map((list) => ({ name: "u", list })),
  anything,
);
const headerName = mostly(
  fc.constantFrom(
    ...["Content-Type", "Content-Length", "Transfer-Encoding", "Connection"],
    ...["ETag", "Vary", "Access-Control-Allow-Origin"],
    "X-Content-Type-Options",
  ),
  anyText,
);
const headerValue = mostly(
  fc.constantFrom("text/plain", '"a"', "chunked", "5"),
  anyText,
  anything,
);
const status = fc.constantFrom(
  ...[200, 200, 200, 200, 204, 205, 304, 404, 100, 101, 99, 600],
);
const resource = mostly(
  fc.record({
    status: mostly(status, anything),
    headers: mostly(
      fc.dictionary(headerName, headerValue, { maxKeys: 3 }),
      anything,
    ),
    body,
  }, { requiredKeys: ["status", "headers"] }),
  anything,
);

/** The functions of a store and a resource. */
interface Behavior {
  authenticate(): unknown;
  ready(): unknown;
  explorer(): unknown;
}
export const behavior: fc.Arbitrary<Behavior> = fc.record({
  authenticate: outcome(user),
  ready: outcome(anything),
  explorer: outcome(resource),
});

/** A store and handler options whose behavior can be set. */
export interface Untrusted {
  behavior: Behavior;
  readonly store: PlantStore;
  readonly options: HandlerOptions;
}

export function createUntrusted(): Untrusted {
  const untrusted = { behavior: {} as Behavior };
  return Object.assign(untrusted, {
    store: {
      authenticate: () => untrusted.behavior.authenticate(),
      ready: () => untrusted.behavior.ready(),
    } as unknown as PlantStore,
    options: {
      explorer: () => untrusted.behavior.explorer(),
      onError() {},
    } as unknown as HandlerOptions,
  });
}

/** The targets that use the store and the resource. */
export const TARGETS = ["/plants?limit=2", "/readyz", "/", "/healthz"] as const;

/** Checks that an error of the service has an Error body. */
export function checkBody(target: string, status: number, body: string): void {
  if (target === "/" || status < 400) return;
  assert(v.is(ErrorSchema, JSON.parse(body)), body);
}
