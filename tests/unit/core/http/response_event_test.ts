import { test } from "node:test";
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertThrows,
} from "@std/assert";
import {
  createHandler,
  type PlantStore,
  type ResponseEvent,
} from "../../../../mod.ts";
import { until } from "../../../../tools/until.ts";

const authorization = "Bearer s3cret";
const TOKEN = `ps_${"k".repeat(43)}`;

/** Creates a handler and a list to which it adds its events. */
function create() {
  const events: ResponseEvent[] = [];
  const list = () => Promise.resolve([{ name: "\u00e9" }]);
  const store: PlantStore = { authenticate: () => ({ name: "u", list }) };
  const onResponse = (event: ResponseEvent) => void events.push(event);
  return { handler: createHandler(store, { onResponse }), events };
}

for (
  const [method, target, sent, expected] of [
    ["GET", "/%70lants?limit=1&access_token=s3cret", {}, "/plants 200 u"],
    ["GET", "/plants", { "if-none-match": "*" }, "/plants 304 u"],
    ["GET", "/plants?limit=%C3%A9", {}, "/plants 400 u"],
    ["HEAD", "/plants?limit=s3cret", {}, "/plants 400 u"],
    ["POST", `/plants/${TOKEN}/x`, {}, "/plants/.../x 404 undefined"],
    ["GET", `/${"a".repeat(64)}`, {}, "/... 404 undefined"],
    ["A".repeat(32), "/plants", {}, "/plants 405 undefined"],
    ["GET", "app://shop/plants?limit=1", {}, "/plants 200 u"],
    // Servers create requests like this one, but the constructor cannot.
    ["GET", "ftp://s3cret@h/plants?x=s3cret", {}, "/plants 200 u"],
  ] as const
) {
  test(`onResponse receives "${expected}" of ${method} ${target}`, async () => {
    const { handler, events } = create();
    const url = new URL(target, "http://h").href;
    const headers = new Headers({ authorization, ...sent });
    const response = await handler({ method, url, headers } as Request);
    const [{ path, status, user, bytes, duration, ...rest }, ...others] =
      events as [ResponseEvent];
    assertEquals(`${path} ${status} ${user}`, expected);
    assertEquals(bytes, (await response.arrayBuffer()).byteLength);
    assertEquals([rest.method, others], [method.replace(/^A+$/, "..."), []]);
    assert(duration >= 0);
    assertThrows(() => Object.assign(events[0]!, { requestId: "" }), TypeError);
    assertNotMatch(JSON.stringify(events), /s3cret/);
  });
}

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
      ["ps_short", true],
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

for (const kind of ["throws", "rejects with"]) {
  test(`onError receives what onResponse ${kind}`, async () => {
    const errors: unknown[] = [];
    const handler = createHandler({ authenticate: () => undefined }, {
      onResponse(): void | Promise<void> {
        if (kind === "throws") throw new Error("full disk");
        return Promise.reject(new Error("full disk"));
      },
      onError: (error) => {
        errors.push(error);
        return Promise.reject(new Error("ignored"));
      },
    });
    assertEquals((await handler("/healthz")).status, 200);
    await until(() => errors.length > 0);
    assertEquals(errors.map(String), ["Error: full disk"]);
  });
}
