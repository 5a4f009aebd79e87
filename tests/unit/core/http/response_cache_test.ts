import { test } from "node:test";
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  createMemoryStore,
  type PlantStore,
  StoreUnavailableError,
  withBehavior,
} from "../../../../mod.ts";
import { ENCODE } from "../../../../src/core/domain/encoded_list.ts";
import type { ServiceOptions } from "../../../../src/core/http/handler_options.ts";
import type { ServiceRequest } from "../../../../src/core/http/request.ts";
import {
  findHeader,
  type ServiceResponse,
} from "../../../../src/core/http/response.ts";
import { createService } from "../../../../src/core/http/service.ts";
import { collect } from "../../../support/collect.ts";

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
  readonly origin?: string;
}

/** Creates a service, and returns a function that sends requests to it. */
function open(store: PlantStore, options: ServiceOptions = {}) {
  const service = createService(store, options);
  return async (
    { token = "some", query = "", origin }: Sent = {},
  ) => {
    const headers = new Map([["authorization", `Bearer ${token}`]]);
    if (origin !== undefined) headers.set("origin", origin);
    const request: ServiceRequest = {
      method: "GET",
      target: `/plants${query}`,
      origin: () => "",
      header: (name) => headers.get(name),
    };
    return await service.respond(request);
  };
}

const names = ({ body }: ServiceResponse) =>
  `${body}`.match(/(?<="name":")\w/g)?.join("") ?? "";
const headerOf = ({ headers }: ServiceResponse, name: string) =>
  headers[findHeader(headers, name) + 1];

/** Sends a request until its response is cached. The first one of a user is not. */
async function keep(send: ReturnType<typeof open>, sent?: Sent) {
  for (let count = 0; count < 2; count++) await send(sent);
  const { prepared } = await send(sent);
  const again = await send(sent);
  assert(prepared !== undefined);
  assert(again.prepared === prepared, "the response is not cached");
  return prepared;
}

test("a custom store authenticates a request once", async () => {
  let count = 0;
  const list = () => [{ name: `${++count}` }];
  const authenticate = () => ({ name: `${++count}`, list });
  assertEquals(names(await open({ authenticate })()), "2");
});

test("a response is cached for a user with a behavior, and for copies of the user", async () => {
  const behavior = { delay: 1 };
  const { some } = CONTENT.users;
  const users = { ...CONTENT.users, some: { ...some, behavior } };
  const store = createMemoryStore({ ...CONTENT, users });
  await keep(open(store));
  await keep(open(withBehavior(store, { some: behavior })));
});

test("a cached response is only for its user and limit", async () => {
  const send = open(createMemoryStore(CONTENT));
  const requests = ["all", "some"].flatMap((token) =>
    ["", "?limit=1", "?limit=2"].map((query) => ({ token, query }))
  );
  for (const request of requests) await keep(send, request);
  const found: string[] = [];
  for (const request of requests) found.push(names(await send(request)));
  assertEquals(found, ["abc", "a", "ab", "ac", "a", "ac"]);
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

for (
  const [change, name] of [
    [(limit: number) => Math.min(limit, 1), "a"],
    [() => Infinity, "ab"],
  ] as const
) {
  test(`a wrapper can change the limit, which affects only its user: ${change}`, async () => {
    const store = createMemoryStore(CONTENT);
    const send = open({
      async authenticate(token) {
        const user = await store.authenticate(token === "x" ? "all" : token);
        return user && token === "x"
          ? { ...user, list: (limit = Infinity) => user.list(change(limit)) }
          : user;
      },
    });
    const query = "?limit=2";
    const tokens = ["x", "all", "x", "all", "x", "x", "all"];
    const responses = await Promise.all(
      tokens.map((token) => send({ token, query })),
    );
    for (const token of tokens) responses.push(await send({ token, query }));
    const expected = tokens.map((token) => token === "x" ? name : "ab");
    assertEquals(responses.map(names), [...expected, ...expected]);
  });
}

test("a user of a cached response and its plants cannot be changed", async () => {
  const user = await createMemoryStore(CONTENT).authenticate("some");
  assertThrows(() => Object.assign(user!, { list: () => [] }), TypeError);
  const [plant] = await collect(await user!.list());
  assertThrows(() => Object.assign(plant!, { name: "" }), TypeError);
});

test("all tokens of users with access to all plants share cached responses", async () => {
  const { all } = CONTENT.users;
  const users = { ...CONTENT.users, more: { ...all, tokens: ["more"] } };
  const send = open(createMemoryStore({ ...CONTENT, users }));
  const prepared = await keep(send, { token: "all" });
  for (const token of ["other", "more"]) {
    assert((await send({ token })).prepared === prepared);
  }
});

test("a long list is not cached", async () => {
  const plants = [{ name: "a".repeat(50_000) }];
  const send = open(createMemoryStore({ ...CONTENT, plants }));
  for (let count = 0; count < 3; count++) {
    const { prepared, chunks } = await send({ token: "all" });
    assertEquals(prepared, undefined);
    assert(chunks !== undefined);
  }
});

for (
  const [count, length, version] of [
    [2_000, 1, 1],
    [310, 44_000, 1],
    [180, 1, 44_000],
  ] as const
) {
  test(`all lists are evicted after ${count} others of ${length} bytes, with versions of ${version}`, async () => {
    const list = (limit = Infinity) => ({
      version: "1".repeat(version),
      limit,
      [ENCODE]: () => ["a".repeat(length)],
      *[Symbol.iterator]() {},
    });
    const authenticate = () => ({ name: "u", list });
    const send = open({ authenticate });
    const request = (limit: number) => (
      { token: "all", query: `?limit=${limit}` }
    );
    await keep(send, request(0));
    for (let limit = 1; limit <= count; limit++) {
      await send(request(limit));
      await send(request(limit));
    }
    assertEquals((await send(request(0))).prepared, undefined);
    await keep(send, request(0)); // others are cached again
  });
}

/** Sends requests at the same moment to a store whose lists encode texts. */
async function sendAtOnce(
  encode: (token: string) => string[],
  ...changes: { readonly version: string }[]
) {
  let lists = 0;
  const authenticate = (token: string) => {
    const list = {
      version: "1",
      limit: Infinity,
      async *[ENCODE]() {
        lists++;
        await null;
        Object.assign(list, ...changes);
        yield* encode(token);
      },
      *[Symbol.iterator]() {},
    };
    return { name: token, list: () => list };
  };
  const send = open({ authenticate });
  const tokens = ["a", "b", "c"];
  const responses = await Promise.all(tokens.map((token) => send({ token })));
  return { lists, responses };
}

test("equal lists that are requested at the same moment are created once", async () => {
  const encode = (name: string) => [JSON.stringify({ name })];
  const { lists, responses } = await sendAtOnce(encode);
  assertEquals([lists, ...responses.map(names)], [1, "a", "a", "a"]);
  const changed = await sendAtOnce(encode, { version: "2" });
  assertEquals(changed.responses.map(names), ["a", "b", "c"]);
});

test("an error is not shared", async () => {
  const { responses } = await sendAtOnce((name) => {
    if (name === "a") throw new StoreUnavailableError("revoked");
    return [JSON.stringify({ name })];
  });
  assertEquals(responses.map(({ status }) => status), [503, 200, 200]);
});

test("each client reads a long list by itself", async () => {
  const { responses } = await sendAtOnce((token) =>
    Array(100).fill(token.repeat(1_000))
  );
  for (const [at, { chunks }] of responses.entries()) {
    let text = "";
    for await (const chunk of chunks!) text += new TextDecoder().decode(chunk);
    assertEquals([text.length, text[1]], [100_101, "abc"[at]]);
  }
});
