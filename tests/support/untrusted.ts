import { assert } from "@std/assert";
import fc from "fast-check";
import * as v from "valibot";
import {
  ErrorSchema,
  type HandlerOptions,
  type PlantStore,
} from "../../mod.ts";
import { anyText } from "./text.ts";

// Stores and resources that return or throw anything: the handler must respond,
// and the server must survive.

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
  fc.tuple(value, fc.constantFrom("return", "throw", "resolve", "reject"))
    .map(([value, kind]) => () => {
      if (kind === "throw") throw value;
      if (kind === "reject") return Promise.reject(value);
      return kind === "resolve" ? Promise.resolve(value) : value;
    });

const body = fc.oneof(anyText, fc.uint8Array(), anything);
const list = fc.oneof(
  anything,
  fc.array(fc.oneof(fc.record({ name: anyText }), anything)),
);
const viewer = mostly(
  outcome(list).map((list) => ({ user: "u", list })),
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
  page(): unknown;
}
export const behavior: fc.Arbitrary<Behavior> = fc.record({
  authenticate: outcome(viewer),
  ready: outcome(anything),
  page: outcome(resource),
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
      page: () => untrusted.behavior.page(),
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
