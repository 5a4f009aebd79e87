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
const credentials = ["Authorization", "Bearer t"] as const;

/** How the objects of a service are presented, and how its functions return. */
interface Ways {
  readonly present: Present;
  readonly settle: Settle;
}
const ways: fc.Arbitrary<Ways> = fc.record({ present, settle });

function createStore({ present, settle }: Ways): PlantStore {
  return present<PlantStore>({
    authenticate(token) {
      const viewer = present({ user: "u", list: () => settle(PLANTS) });
      return settle(token === "t" ? viewer : undefined);
    },
    ready: () => settle(present({ loaded: new Date(0) })),
  });
}

function createOptions({ present, settle }: Ways) {
  return {
    basePath: "/api",
    cors: "off",
    publicUrl: "https://p.example/api",
    delay: 0,
    page: ({ baseUrl }) =>
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
  "/api/openapi.json",
  "/plants",
];

interface Found {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Returns the responses for all paths, without what differs each time. */
async function collect(
  send: (target: string) => Promise<Found>,
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const target of PATHS) {
    const { status, headers, body } = await send(target);
    const { date: _, "x-request-id": id, ...rest } = Object.fromEntries(
      headers,
    );
    found.push([target, status, typeof id, rest, body]);
  }
  return found;
}

/** Returns the responses of a handler. */
function collectInProcess(store: PlantStore, options: HandlerOptions) {
  const handler = createHandler(store, options);
  return collect(async (target) => {
    const response = await handler(target, { headers: [[...credentials]] });
    const { status, headers } = response;
    return { status, headers, body: await response.text() };
  });
}

/** Returns the responses of a server. */
function collectOverWire(port: number) {
  return collect((target) =>
    sendOverWire(port, { target, headers: [credentials] })
  );
}

const PLAIN: Ways = { present: (value) => value, settle: (value) => value };

test("createHandler() accepts options and stores of any form", async () => {
  const expected = await collectInProcess(
    createStore(PLAIN),
    createOptions(PLAIN),
  );
  const property = fc.asyncProperty(ways, ways, async (ways, others) => {
    const options = ways.present(createOptions(ways));
    const found = await collectInProcess(createStore(others), options);
    assertEquals(found, expected);
  });
  await fc.assert(property, { numRuns: 50 });
});

test("serve() accepts options and stores of any form", async () => {
  async function find(ways: Ways): Promise<unknown[]> {
    const limits = ways.present({ urlLength: 100 });
    const own = { ...createOptions(ways), port: 0, limits };
    const server = await serve(createStore(ways), ways.present(own));
    try {
      const long = { target: `/api/?${"x".repeat(100)}` };
      const { status } = await sendOverWire(portOf(server), long);
      return [
        new URL(server.url).pathname,
        status,
        await collectOverWire(portOf(server)),
      ];
    } finally {
      await server.close(ways.present({ deadline: 0, delay: 0 }));
    }
  }
  const expected = await find(PLAIN);
  const property = fc.asyncProperty(ways, async (ways) => {
    assertEquals(await find(ways), expected);
  });
  await fc.assert(property, { numRuns: 20 });
});

test("createNodeListener() accepts options and stores of any form", async (t) => {
  let listener = createNodeListener(createStore(PLAIN), createOptions(PLAIN));
  const server = createServer((request, response) =>
    listener(request, response)
  );
  const port = await listen(t, server);
  const expected = await collectOverWire(port);
  const property = fc.asyncProperty(ways, async (ways) => {
    const options = ways.present(createOptions(ways));
    listener = createNodeListener(createStore(ways), options);
    assertEquals(await collectOverWire(port), expected);
  });
  await fc.assert(property, { numRuns: 30 });
});

test("createHandler() and serve() read each option once", async () => {
  for (const start of [createHandler, serve]) {
    const reads: PropertyKey[] = [];
    const port = start === serve ? { port: 0 } : {};
    const options = new Proxy({ ...createOptions(PLAIN), ...port }, {
      get(target, key) {
        reads.push(key);
        return Reflect.get(target, key);
      },
    });
    const started = await start(createStore(PLAIN), options);
    if ("close" in started) await started.close();
    assertEquals(reads.length, new Set(reads).size, reads.join(" "));
  }
});

test("openFileStore() accepts options of any form", async (t) => {
  const { plants, tokens } = await writeFiles(t, {
    plants: PLANTS,
    tokens: {},
  });
  const property = fc.asyncProperty(present, async (present) => {
    let changes = 0;
    await using store = await openFileStore(
      present({ plants, tokens, watch: false, onChange: () => changes++ }),
    );
    await store.reload();
    assertEquals(changes, 2);
  });
  await fc.assert(property, { numRuns: 20 });
});

test("createHandler() responds whatever a store or a resource does", async () => {
  const untrusted = createUntrusted();
  const handler = createHandler(untrusted.store, untrusted.options);
  const property = fc.asyncProperty(behavior, async (behavior) => {
    untrusted.behavior = behavior;
    for (const target of TARGETS) {
      const response = await handler(target, { headers: [[...credentials]] });
      checkBody(target, response.status, await response.text());
    }
  });
  await fc.assert(property, { numRuns: 300 });
});

test("createNodeListener() survives a store or a resource that misbehaves", async (t) => {
  const untrusted = createUntrusted();
  const listener = createNodeListener(untrusted.store, untrusted.options);
  const port = await listen(t, createServer(listener));
  const property = fc.asyncProperty(behavior, async (behavior) => {
    untrusted.behavior = behavior;
    for (const target of TARGETS) {
      const request = { target, headers: [credentials] };
      const { status, body } = await sendOverWire(port, request);
      checkBody(target, status, body);
    }
  });
  await fc.assert(property, { numRuns: 100 });
});
