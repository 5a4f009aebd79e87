import { createServer } from "node:http";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import {
  createHandler,
  type HandlerOptions,
  type Plant,
  type PlantStore,
} from "../../mod.ts";
import { createNodeListener } from "../../src/server/node.ts";
import { serve } from "../../src/server/serve.ts";
import { openFileStore } from "../../src/stores/files.ts";
import { openHandler } from "../contract/in_process.ts";
import type { Service } from "../contract/suite.ts";
import { sendOverWire } from "../contract/wire.ts";
import { writeFiles } from "../support/files.ts";
import { listen } from "../support/port.ts";
import { portOf } from "../support/server.ts";
import {
  behavior,
  checkBody,
  createUntrusted,
  type Present,
  present,
  type Settle,
  settle,
  TARGETS,
} from "../support/untrusted.ts";

const PLANTS: readonly Plant[] = [{ name: "a", tag: "x" }, { name: "b" }];
const headers = [["Authorization", "Bearer t"]] as const;

/** Starts a service, and presents the options that only this way has, too. */
type Start = (
  store: PlantStore,
  options: HandlerOptions,
  present: Present,
) => Service | Promise<Service>;

const STARTS: Readonly<Record<string, Start>> = {
  createHandler: (store, options, present) =>
    openHandler(createHandler(store, present(options))),
  async createNodeListener(store, options, present) {
    const server = createServer(createNodeListener(store, present(options)));
    let close: () => unknown;
    const port = await listen({ after: (hook) => close = hook }, server);
    const send: Service["send"] = (request) => sendOverWire(port, request);
    return { send, close: async () => void await close() };
  },
  async serve(store, options, present) {
    const server = await serve(store, present({ ...options, port: 0 }));
    return {
      send: (request) => sendOverWire(portOf(server), request),
      close: () =>
        server.close(present({ shutdownTimeout: 0, shutdownDelay: 0 })),
    };
  },
};

/** How the objects of a service are presented, and how its functions return. */
interface Ways {
  readonly present: Present;
  readonly settle: Settle;
}
const ways: fc.Arbitrary<Ways> = fc.record({ present, settle });
const PLAIN: Ways = { present: (value) => value, settle: (value) => value };

function createStore({ present, settle }: Ways): PlantStore {
  return present<PlantStore>({
    authenticate(token) {
      const user = present({ name: "u", list: () => settle(PLANTS) });
      return settle(token === "t" ? user : undefined);
    },
    ready: () => settle(present({ loadedAt: new Date(0) })),
  });
}

function createOptions({ present, settle }: Ways) {
  return {
    basePath: "/api",
    cors: "off",
    publicUrl: "https://p.example/api",
    explorer: ({ baseUrl }) =>
      settle(
        present({ status: 200, headers: { "X-A": "a" }, body: baseUrl }),
      ),
    onError() {},
    onResponse() {},
  } satisfies HandlerOptions;
}

const PATHS = [
  "/api/plants?limit=1",
  "/api/readyz",
  "/api/",
  `/api/?${"x".repeat(100)}`,
  "/api/openapi.json",
  "/plants",
];

/** Returns the responses for all paths, without what differs each time. */
async function collect(
  start: Start,
  ways: Ways,
  others: Ways,
): Promise<unknown[]> {
  const service = await start(
    createStore(others),
    createOptions(ways),
    ways.present,
  );
  const found: unknown[] = [];
  for (const target of PATHS) {
    const { status, headers: all, body } = await service.send({
      target,
      headers,
    });
    const { date: _, "x-request-id": id, ...rest } = Object.fromEntries(all);
    found.push([target, status, typeof id, rest, body]);
  }
  await service.close();
  return found;
}

for (const [name, start] of Object.entries(STARTS)) {
  test(`${name}() accepts options and stores of any form`, async () => {
    const expected = await collect(start, PLAIN, PLAIN);
    const property = fc.asyncProperty(ways, ways, async (ways, others) => {
      assertEquals(await collect(start, ways, others), expected);
    });
    await fc.assert(property, { numRuns: 50 });
  });

  test(`${name}() responds whatever a store or a resource does`, async () => {
    const untrusted = createUntrusted();
    const service = await start(
      untrusted.store,
      untrusted.options,
      PLAIN.present,
    );
    const method = fc.constantFrom("GET", "HEAD");
    const property = fc.asyncProperty(
      behavior,
      method,
      async (behavior, method) => {
        untrusted.behavior = behavior;
        for (const target of TARGETS) {
          const request = { method, target, headers };
          const { status, body } = await service.send(request);
          if (method === "GET") checkBody(target, status, body);
        }
      },
    );
    await fc.assert(property, {
      numRuns: name === "createHandler" ? 300 : 100,
    });
    await service.close();
  });

  test(`${name}() reads each option once`, async () => {
    const repeated: PropertyKey[] = [];
    function watch<T extends object>(options: T): T {
      const read = new Set<PropertyKey>();
      return new Proxy(options, {
        get(target, key) {
          if (read.has(key)) repeated.push(key);
          read.add(key);
          return Reflect.get(target, key);
        },
      });
    }
    const options = createOptions(PLAIN);
    await (await start(createStore(PLAIN), options, watch)).close();
    assertEquals(repeated, []);
  });
}

test("openFileStore() accepts options of any form", async (t) => {
  const files = await writeFiles(t, { plants: PLANTS });
  const property = fc.asyncProperty(present, async (present) => {
    let changes = 0;
    const own = { ...files, watch: false, onChange: () => changes++ };
    await using store = await openFileStore(present(own));
    await store.reload();
    assertEquals(changes, 2);
  });
  await fc.assert(property, { numRuns: 20 });
});
