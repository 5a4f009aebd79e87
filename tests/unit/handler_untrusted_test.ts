import { after, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import * as v from "valibot";
import {
  createHandler,
  ErrorSchema,
  type HandlerOptions,
  type PlantStore,
} from "../../mod.ts";
import { serve } from "../../src/server/serve.ts";
import { sendOverWire } from "../contract/wire.ts";
import { anyText } from "../support/text.ts";

// Stores and resources are other people's code: whatever they return or throw,
// the handler responds and the server survives.

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withNullPrototype: true,
  withObjectString: true,
  withTypedArray: true,
});

/** A way to call someone's code: it returns, throws, resolves, or rejects. */
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
  fc.record({
    body,
    byteLength: fc.oneof(fc.nat(9), anything),
    etag: fc.oneof(fc.constant('"a"'), anyText, anything),
  }, { requiredKeys: [] }),
);
const viewer = fc.oneof(
  { weight: 1, arbitrary: anything },
  {
    weight: 4,
    arbitrary: outcome(list).map((list) => ({ user: "u", list })),
  },
);
const headerName = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      "Content-Type",
      "Content-Length",
      "Transfer-Encoding",
      "Connection",
      "ETag",
      "Vary",
      "Access-Control-Allow-Origin",
      "X-Content-Type-Options",
    ),
  },
  anyText,
);
const headerValue = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom("text/plain", '"a"', "chunked", "5"),
  },
  anyText,
  anything,
);
const resource = fc.oneof(
  { weight: 1, arbitrary: anything },
  {
    weight: 4,
    arbitrary: fc.record({
      status: fc.constantFrom(200, 204, 304, 404),
      headers: fc.dictionary(headerName, headerValue, { maxKeys: 3 }),
      body: fc.oneof(anyText, fc.uint8Array()),
    }, { requiredKeys: ["status", "headers"] }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      status: fc.oneof(
        fc.constantFrom(200, 200, 200, 204, 205, 304, 404, 100, 101, 99, 600),
        anything,
      ),
      headers: fc.oneof(
        {
          weight: 4,
          arbitrary: fc.dictionary(headerName, headerValue),
        },
        anything,
      ),
      body,
    }, { requiredKeys: [] }),
  },
);

/** What other people's code does next. */
const behavior = fc.record({
  authenticate: outcome(viewer),
  ready: outcome(anything),
  page: outcome(resource),
});
type Behavior = typeof behavior extends fc.Arbitrary<infer T> ? T : never;

const PATHS = ["/plants?limit=2", "/readyz", "/", "/healthz"];

let current: Behavior;
let errors = 0;
const store = {
  authenticate: () => current.authenticate(),
  ready: () => current.ready(),
} as unknown as PlantStore;
const options = {
  page: () => current.page(),
  onError: () => errors++,
} as unknown as HandlerOptions;

function checkBody(path: string, status: number, text: string): void {
  if (path === "/" || status < 400) return;
  assert(v.is(ErrorSchema, JSON.parse(text)), text);
}

test("createHandler() responds whatever a store or a resource does", async () => {
  const handler = createHandler(store, options);
  let listed = 0, shown = 0;
  await fc.assert(
    fc.asyncProperty(behavior, async (behavior) => {
      current = behavior;
      for (const path of PATHS) {
        for (const method of ["GET", "HEAD"]) {
          const before = errors;
          const response = await handler(
            new Request(`http://h${path}`, {
              method,
              headers: { authorization: "Bearer t", "if-none-match": '"b"' },
            }),
          );
          const { status } = response;
          const text = await response.text();
          if (method === "GET") checkBody(path, status, text);
          else assertEquals(text, "");
          if (path === "/" && status === 200) shown++;
          if (path.startsWith("/plants") && status === 200) listed++;
          if (path.startsWith("/plants") && status === 400) {
            assertEquals(errors, before + 1);
          }
        }
      }
    }),
    { numRuns: 1_000 },
  );
  assert(listed > 20 && shown > 20, `${listed} ${shown}`);
});

test("serve() survives whatever a store or a resource does", async () => {
  const server = await serve(store, { ...options, port: 0 });
  after(() => server.close());
  const port = Number(new URL(server.url).port);
  await fc.assert(
    fc.asyncProperty(
      behavior,
      fc.constantFrom("GET", "HEAD"),
      async (behavior, method) => {
        current = behavior;
        for (const target of PATHS) {
          const { status, body } = await sendOverWire(port, {
            method,
            target,
            headers: [["Authorization", "Bearer t"]],
          });
          if (method === "GET") checkBody(target, status, body);
        }
      },
    ),
    { numRuns: 200 },
  );
  const { status } = await fetch(new URL("healthz", server.url));
  assertEquals(status, 200);
});
