import { test } from "node:test";
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  createMemoryStore,
  type MemoryStoreContent,
  type PlantStore,
  type ResponseEvent,
  withBehavior,
} from "../../mod.ts";
import type { ServiceOptions } from "../../src/core/http/handler_options.ts";
import type { ServiceRequest } from "../../src/core/http/request.ts";
import { divide, type LongBody } from "../../src/server/runtimes/long_body.ts";
import {
  findHeader,
  type ServiceResponse,
} from "../../src/core/http/response.ts";
import { createService } from "../../src/core/http/service.ts";

// A response with a list is cached, and never for too long.

const CONTENT = {
  plants: [{ name: "a", tag: "x" }, { name: "b" }, { name: "c", tag: "x" }],
  users: {
    all: { plants: "all", tokens: ["all", "other"] },
    some: { plants: { tags: ["x"] }, tokens: ["some"] },
  },
} as const;

interface Sent {
  readonly token?: string;
  readonly query?: string;
  readonly method?: string;
  readonly origin?: string;
  readonly signal?: AbortSignal;
}

/** Creates a service, and returns a function that sends requests to it. */
function open(store: PlantStore, options: ServiceOptions = {}) {
  const service = createService(store, options);
  return async (
    { token = "some", query = "", method = "GET", origin, signal }: Sent = {},
  ) => {
    const headers = new Map([["authorization", `Bearer ${token}`]]);
    if (origin !== undefined) headers.set("origin", origin);
    const request: ServiceRequest = {
      method,
      target: `/plants${query}`,
      origin: () => "",
      header: (name) => headers.get(name),
      signal: () => signal,
    };
    return await service.respond(request);
  };
}

const names = ({ body }: ServiceResponse) =>
  `${body}`.match(/(?<="name":")\w/g)?.join("") ?? "";
const headerOf = ({ headers }: ServiceResponse, name: string) =>
  headers[findHeader(headers, name) + 1];

/** Sends a request, whose response must be cached. */
async function keep(send: ReturnType<typeof open>, sent?: Sent) {
  const { prepared } = await send(sent);
  const again = await send(sent);
  assert(prepared !== undefined);
  assert(again.prepared === prepared, "the response is not cached");
  return prepared;
}

test("a response is cached for the tokens of a user", async () => {
  const send = open(createMemoryStore(CONTENT));
  const all = await keep(send, { token: "all" });
  const other = await send({ token: "other" });
  assert(other.prepared === all);
});

test("requests that wait at the same time share a response", async () => {
  const giveWay = () => new Promise<void>((resolve) => setImmediate(resolve));
  const send = open(createMemoryStore(CONTENT), { giveWay });
  const [first, second] = await Promise.all([send(), send()]);
  assert(first.prepared !== undefined);
  assert(first.prepared === second.prepared);
});

test("a request that waited for others returns the current plants and users", async () => {
  const store = createMemoryStore(CONTENT);
  let content: MemoryStoreContent = CONTENT;
  const giveWay = () => Promise.resolve(store.replace(content));
  const users: unknown[] = [];
  const onResponse = ({ user }: ResponseEvent) => void users.push(user);
  const send = open(store, { giveWay, onResponse });
  content = {
    plants: [{ name: "d" }],
    users: { other: { plants: "all", tokens: ["some"] } },
  };
  assertEquals(names(await send()), "d");
  assertEquals(users, ["other"]);
  content = { ...CONTENT, users: {} };
  assertEquals((await send({ query: "?limit=1" })).status, 401);
});

test("an intended failure does not wait for lists", async () => {
  const store = withBehavior(createMemoryStore(CONTENT), {}, {
    fail: "100%",
  });
  const giveWay = () => assert(false, "waited");
  assertEquals((await open(store, { giveWay })()).status, 503);
});

test("a request that does not wait is authenticated once", async () => {
  const store = createMemoryStore(CONTENT);
  let count = 0;
  const authenticate = (token: string) => {
    count++;
    return store.authenticate(token);
  };
  await open({ authenticate })();
  assertEquals(count, 1);
});

test("a custom store authenticates a request once", async () => {
  let count = 0;
  const list = () => [{ name: `${++count}` }];
  const authenticate = () => ({ name: `${++count}`, list });
  const giveWay = () => Promise.resolve();
  assertEquals(names(await open({ authenticate }, { giveWay })()), "2");
});

test("a request lists no plants if its client disconnected while it waited", async () => {
  const controller = new AbortController();
  const store: PlantStore = {
    authenticate: () => ({
      name: "some",
      list() {
        throw new Error("listed");
      },
    }),
  };
  const giveWay = () => Promise.resolve(controller.abort());
  const { signal } = controller;
  assertEquals((await open(store, { giveWay })({ signal })).status, 499);
});

test("a custom store whose users have a behavior is asked again after the delay", async () => {
  let count = 0;
  const authenticate = () =>
    ++count > 1
      ? undefined
      : { name: "u", behavior: { delay: 1 }, list: () => [] };
  assertEquals([(await open({ authenticate })()).status, count], [401, 2]);
});

test("a request lists no plants if its client disconnected during the second authentication", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const store = createMemoryStore(CONTENT);
  let count = 0;
  const authenticate = (token: string) => {
    if (++count === 2) controller.abort();
    return store.authenticate(token);
  };
  const send = open({ authenticate }, { giveWay: () => Promise.resolve() });
  assertEquals([(await send({ signal })).status, count], [499, 2]);
});

test("a response is cached for a user without a behavior", async () => {
  await keep(open(withBehavior(createMemoryStore(CONTENT), {})));
});

test("a response is cached for a user with a behavior, and for copies of the user", async () => {
  const behavior = { delay: 1 };
  const { some } = CONTENT.users;
  const users = { ...CONTENT.users, some: { ...some, behavior } };
  const store = createMemoryStore({ ...CONTENT, users });
  await keep(open(store));
  await keep(open(withBehavior(store, { some: behavior })));
});

test("a body in parts is cached, and dropped with all others", async () => {
  const plants = Array(40).fill({ name: "a".repeat(999_990) });
  const send = open(createMemoryStore({ ...CONTENT, plants }), { divide });
  const request = (limit: number) =>
    send({ token: "all", query: `?limit=${limit}` });
  const { body } = await request(1);
  assert((await request(1)).body === body);
  const parts = [...body as LongBody];
  await request(20); // more than fit
  assert((await request(1)).body !== body);
  const again = [...body as LongBody];
  assert(again[0] !== parts[0]);
  assertEquals(new Blob(again as BlobPart[]).size, body!.length);
});

test("a cached response is only for its user and limit", async () => {
  const send = open(createMemoryStore(CONTENT));
  for (const token of ["all", "some"]) {
    for (const query of ["", "?limit=1", "?limit=2"]) {
      await keep(send, { token, query });
    }
  }
  const found: string[] = [];
  for (const token of ["all", "some"]) {
    for (const query of ["", "?limit=1", "?limit=2"]) {
      found.push(names(await send({ token, query })));
    }
  }
  assertEquals(found, ["abc", "a", "ab", "ac", "a", "ac"]);
});

test("a cached response has its body for GET, but not for HEAD", async () => {
  const send = open(createMemoryStore(CONTENT));
  await keep(send);
  assertEquals((await send({ method: "HEAD" })).body, undefined);
  assertEquals(names(await send()), "ac");
});

test("a cached response ends with its snapshot, and with the token", async () => {
  const store = createMemoryStore(CONTENT);
  const send = open(store);
  await keep(send);
  store.replace({ ...CONTENT, plants: [{ name: "d", tag: "x" }] });
  assertEquals(names(await send()), "d");
  await keep(send);
  store.replace({ plants: CONTENT.plants, users: {} });
  assertEquals((await send()).status, 401);
});

test("a cached response closes the connection during a shutdown", async () => {
  const state = { isShuttingDown: false };
  const send = open(createMemoryStore(CONTENT), { state });
  await keep(send);
  state.isShuttingDown = true;
  assertEquals(headerOf(await send(), "connection"), "close");
});

test("a cached response has the CORS headers and the request ID of each request", async () => {
  const origins = ["https://a.example", "https://b.example"];
  const send = open(createMemoryStore(CONTENT), {
    cors: origins,
    onResponse() {},
  });
  const ids = new Set<string | undefined>();
  for (const origin of [...origins, ...origins, ...origins]) {
    const response = await send({ origin });
    const name = "access-control-allow-origin";
    assertEquals(headerOf(response, name), origin);
    ids.add(headerOf(response, "x-request-id"));
  }
  assertEquals(ids.size, 6);
});

test("a copy of a user can list other plants, and custom lists are never cached", async () => {
  const store = createMemoryStore(CONTENT);
  const plants = [{ name: "a" }, { name: "b" }];
  const send = open({
    async authenticate(token) {
      const user = await store.authenticate(token);
      return user && { ...user, list: () => Object.freeze(plants) };
    },
  });
  await keep(open(store));
  for (let count = 0; count < 3; count++) await send();
  plants[0]!.name = "z";
  assertEquals(names(await send()), "zb");
});

test("the lists of a custom user are never cached", async () => {
  const plants = [{ name: "a" }];
  const user = { name: "one", list: () => plants };
  const send = open({ authenticate: () => user });
  for (let count = 0; count < 3; count++) await send();
  plants[0]!.name = "z";
  assertEquals(names(await send()), "z");
});

test("a user of a cached response and its plants cannot be changed", async () => {
  const user = await createMemoryStore(CONTENT).authenticate("some");
  assertThrows(() => Object.assign(user!, { list: () => [] }), TypeError);
  const [plant] = await user!.list();
  assertThrows(() => Object.assign(plant!, { name: "" }), TypeError);
});

test("users with access to all plants share cached responses", async () => {
  const { all } = CONTENT.users;
  const users = { ...CONTENT.users, more: { ...all, tokens: ["more"] } };
  const send = open(createMemoryStore({ ...CONTENT, users }));
  const prepared = await keep(send, { token: "all" });
  assert((await send({ token: "more" })).prepared === prepared);
});

test("all responses are dropped before they take more than 16 MB", async () => {
  const plants = [{ name: "b".repeat(900_000), tag: "x" }];
  const send = open(createMemoryStore({
    plants: [...plants, { name: "c" }],
    users: Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `user${at}`,
        { plants: { tags: ["x"] }, tokens: [`user${at}`] },
      ]),
    ),
  }));
  const first = await keep(send, { token: "user0" });
  for (let at = 1; at < 10; at++) await keep(send, { token: `user${at}` });
  assert((await send({ token: "user0" })).prepared === first);
  for (let at = 10; at < 40; at++) await keep(send, { token: `user${at}` });
  assert((await send({ token: "user0" })).prepared !== first);
});

test("all lists are forgotten after 1,000 others", async () => {
  const plants = Array(1_001).fill({ name: "a" });
  const send = open(createMemoryStore({ ...CONTENT, plants }));
  const request = (limit: number) =>
    send({ token: "all", query: `?limit=${limit}` });
  const { prepared } = await request(0);
  for (let limit = 1; limit <= 1_000; limit++) await request(limit);
  const again = await request(0);
  assert(again.prepared !== prepared);
  await request(1);
  assert((await request(0)).prepared === again.prepared); // others are cached again
});
