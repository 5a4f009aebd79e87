import { test } from "node:test";
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import {
  createHandler,
  createMemoryStore,
  type Handler,
  type PlantList,
  type PlantStore,
  type ResponseEvent,
} from "../../mod.ts";
import { until } from "../support/until.ts";

const authorization = "Bearer s3cret";
const TOKEN = `ps_${"k".repeat(43)}`;

/** Creates a handler and a list to which it adds its events. */
function create(
  list: PlantList | Promise<PlantList> = [{ name: "a" }],
): { readonly handler: Handler; readonly events: ResponseEvent[] } {
  const events: ResponseEvent[] = [];
  const store: PlantStore = {
    authenticate: () => ({ user: "u", list: () => list }),
  };
  const onResponse = (event: ResponseEvent) => void events.push(event);
  return { handler: createHandler(store, { onResponse }), events };
}

test("onResponse receives the method, path, and status, but no secrets", async () => {
  const { handler, events } = create();
  for (
    const [method, target] of [
      ["GET", "/%70lants?limit=1&access_token=s3cret"],
      ["HEAD", "/plants?limit=s3cret"],
      ["POST", "/plants"],
      ["OPTIONS", "/nope"],
      ["GET", "ftp://s3cret@h/plants?access_token=s3cret"],
    ]
  ) {
    // Servers create requests like the last one, but the constructor cannot.
    const url = new URL(target!, "http://h").href;
    const headers = new Headers({ authorization });
    await handler({ method, url, headers } as Request);
  }
  assertEquals(
    events.map(({ method, path, status }) => `${method} ${path} ${status}`),
    [
      "GET /plants 200",
      "HEAD /plants 400",
      "POST /plants 405",
      "OPTIONS /nope 404",
      "GET  404",
    ],
  );
  assert(events.every(({ duration }) => duration >= 0));
  assertNotMatch(JSON.stringify(events), /s3cret/);
});

test("onResponse receives the user and the size of the body", async () => {
  const { handler, events } = create(Promise.resolve([{ name: "\u00e9" }]));
  const response = await handler("/plants", { headers: { authorization } });
  const etag = response.headers.get("etag")!;
  for (
    const [method, target, headers] of [
      ["HEAD", "/plants", { authorization }],
      ["GET", "/plants", { authorization, "if-none-match": etag }],
      ["GET", "/plants?limit=x", { authorization }],
      ["GET", "/plants", {}],
    ] as const
  ) await handler(target, { method, headers });
  assertEquals(
    events.map(({ user, bytes, status }) => [status, user, bytes > 0]),
    [
      [200, "u", true],
      [200, "u", false],
      [304, "u", false],
      [400, "u", true],
      [401, undefined, true],
    ],
  );
  assertEquals(`${events[0]!.bytes}`, response.headers.get("content-length"));
});

test("X-Request-Id keeps the ID from the client unless it could be a token", async () => {
  const { handler, events } = create();
  for (
    const [id, isKept] of [
      ["a", true],
      ["A-b_c.9".padEnd(64, "x"), true],
      ["A-b_c.9".padEnd(65, "x"), false],
      ["two words", false],
      ["", false],
      ["s3cret", false],
      [TOKEN, false],
      ["0123456789abcdef".repeat(4), false],
    ] as const
  ) {
    const { headers } = await handler("/plants", {
      headers: { authorization, "x-request-id": id },
    });
    const received = headers.get("x-request-id");
    assertEquals(received, events.at(-1)!.requestId);
    assertEquals(received === id, isKept, id);
    assertMatch(received!, /^[\w.-]{1,64}$/);
    const exposed = headers.get("access-control-expose-headers");
    assertMatch(exposed ?? "", /, X-Request-Id$/);
  }
  const ids = events.map(({ requestId }) => requestId);
  assertEquals(new Set(ids).size, ids.length);
});

test("X-Request-Id is missing without onResponse", async () => {
  const handler = createHandler({ authenticate: () => undefined });
  const { headers } = await handler("/plants");
  assertEquals(headers.get("x-request-id"), null);
  const exposed = headers.get("access-control-expose-headers");
  assertNotMatch(exposed!, /request-id/i);
});

test("onResponse receives no part of a path that could be a token", async () => {
  const { handler, events } = create();
  await handler(`/plants/${TOKEN}/x`);
  await handler(`/${"a".repeat(64)}`);
  const paths = events.map(({ path }) => path);
  assertEquals(paths, ["/plants/.../x", "/..."]);
});

test("onError receives what an asynchronous onResponse rejects with", async () => {
  const errors: unknown[] = [];
  const handler = createHandler(createMemoryStore({ plants: [], users: {} }), {
    onResponse: () => Promise.reject(new Error("full disk")),
    onError: (error) => {
      errors.push(error);
      return Promise.reject(new Error("ignored"));
    },
  });
  assertEquals((await handler("/healthz")).status, 200);
  await until(() => errors.length > 0);
  assertEquals(errors.map(String), ["Error: full disk"]);
});
