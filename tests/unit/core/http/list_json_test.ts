import { Buffer } from "node:buffer";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type Access,
  createHandler,
  createMemoryStore,
  type Plant,
  type ResponseEvent,
} from "../../../../mod.ts";
import { createSnapshot } from "../../../../src/core/domain/snapshot.ts";
import { Credentials } from "../../../../src/core/domain/credentials.ts";
import { ProblemList } from "../../../../src/core/internal/schema.ts";
import {
  CHUNK_LENGTH,
  ENCODE,
} from "../../../../src/core/domain/encoded_list.ts";
import { MAX_SHORT_LENGTH } from "../../../../src/core/http/list_json.ts";
import { findHeader } from "../../../../src/core/http/response.ts";
import { createService } from "../../../../src/core/http/service.ts";
import fc from "../../../support/fast_check.ts";
import { collect } from "../../../support/collect.ts";

/** Lists the first `limit` plants that users with an access can see. */
async function list(
  plants: readonly Plant[],
  access: Access = "all",
  limit?: number,
) {
  const credentials = new Credentials();
  credentials.add("u", { plants: access, tokens: ["t"] }, new ProblemList());
  const store = createSnapshot(plants, credentials);
  const response = await createService(store).respond({
    method: "GET",
    target: limit === undefined ? "/plants" : `/plants?limit=${limit}`,
    origin: () => "",
    header: (name) => name === "authorization" ? "Bearer t" : undefined,
  });
  const { headers } = response;
  const etag = headers[findHeader(headers, "etag") + 1];
  const user = await store.authenticate("t");
  return { ...response, etag, plants: await collect(await user!.list(limit)) };
}

/** Names whose characters take one to three bytes, or are escaped, and one that is longer than a chunk. */
const names = fc.array(
  fc.oneof(
    fc.tuple(
      fc.constantFrom("fern", "Ä", "草", "🌿", "\\", '"', "\ud800"),
      fc.nat(5_000),
    ).map(([text, count]) => text.repeat(count)),
    fc.constant("x".repeat(MAX_SHORT_LENGTH + 1)),
  ),
  { maxLength: 20 },
);

test("a list has the same bytes in chunks, of which each is small", async () => {
  const property = fc.asyncProperty(
    names,
    fc.option(fc.nat(20), { nil: undefined }),
    async (all, limit) => {
      const plants = all.map((name, at) => ({ name, tag: `${at % 3}` }));
      const access = { tags: ["0", "1"], names: ["Ä"] };
      const found = await list(plants, access, limit);
      const chunks: Uint8Array[] = [];
      const source = found.chunks ?? [Buffer.from(found.body!)];
      for await (const chunk of source) chunks.push(chunk);
      const text = JSON.stringify(found.plants);
      assertEquals(Buffer.concat(chunks).toString(), text);
      const isLong = text.length > MAX_SHORT_LENGTH;
      assertEquals(found.chunks !== undefined, isLong);
      assertEquals(findHeader(found.headers, "content-length") === -1, isLong);
      const longest = Math.max(0, ...all.map((name) => 6 * name.length));
      for (const [at, { length }] of found.chunks ? chunks.entries() : []) {
        const max = CHUNK_LENGTH + (at === 0 ? MAX_SHORT_LENGTH : CHUNK_LENGTH);
        assert(length <= 3 * max + longest, `${length} bytes`);
      }
    },
  );
  await fc.assert(property, { numRuns: 50 });
});

const LONG = Array.from({ length: 4_000 }, (_, at) => ({
  name: `${at}`,
  tag: `${at % 2}`,
}));

test("the ETag of a long list depends on the plants, the access, and the limit", async () => {
  const { etag, chunks } = await list(LONG);
  assert(chunks !== undefined);
  assertEquals((await list(LONG.map((plant) => ({ ...plant })))).etag, etag);
  const others = [
    await list([...LONG, { name: "" }]),
    await list(LONG.toReversed()),
    await list(LONG, { tags: ["0", "1"] }),
    await list(LONG, "all", 3_999),
  ];
  for (const other of others) {
    assert(other.chunks !== undefined);
    assert(other.etag !== etag);
  }
});

test("a long list is encoded while it is read", async () => {
  const bytes: unknown[] = [];
  const onResponse = (event: ResponseEvent) => void bytes.push(event.bytes);
  const users = { u: { plants: "all", tokens: ["t"] } } as const;
  const store = createMemoryStore({ plants: LONG, users });
  const handler = createHandler(store, { onResponse });
  const headers = { authorization: "Bearer t" };
  const response = await handler("/plants", { headers });
  const reader = response.clone().body!.getReader();
  const { length } = (await reader.read()).value!;
  assert(length < MAX_SHORT_LENGTH + CHUNK_LENGTH);
  store.replace({ plants: [], users }); // which changes only later responses
  assertEquals(await response.json(), LONG);
  const head = await handler("/plants", { headers, method: "HEAD" });
  assertEquals([await head.text(), bytes], ["", [undefined, 0]]);
});

/** Opens a store with a list that is read from a generator, and counts those that are open. */
function openSource(size: number, failsAt = Infinity) {
  const source = { open: 0, read: 0 };
  const list = () => ({
    async *[Symbol.asyncIterator]() {
      source.open++;
      try {
        for (let at = 0; at < size; at++) {
          if (at === failsAt) throw new Error("lost");
          source.read++;
          yield { name: `${at}` };
        }
      } finally {
        source.open--;
      }
    },
  });
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const store = { authenticate: () => ({ name: "u", list }) };
  const handler = createHandler(store, { onError });
  const send = (init: RequestInit = {}, path = "/plants") =>
    handler(path, {
      ...init,
      headers: { ...init.headers, authorization: "Bearer t" },
    });
  return { source, send, errors };
}

test("an asynchronous list is read while it is sent, and closed in any case", async () => {
  const { source, send } = openSource(20_000);
  const response = await send();
  assertEquals([response.headers.get("etag"), source.open], [null, 1]);
  const reader = response.body!.getReader();
  await reader.read();
  const { read } = source;
  await setTimeout(10);
  assertEquals(source.read, read); // nothing is read ahead
  await reader.cancel();
  const head = await send({ method: "HEAD" });
  assertEquals([await head.text(), source.open], ["", 0]);
  assertEquals((await (await send()).json()).length, 20_000);
  const short = await send({}, "/plants?limit=2");
  assertEquals(await short.json(), [{ name: "0" }, { name: "1" }]);
  assertEquals(source.open, 0);
});

test("a list that fails leads to an error, or is cut off once it is sent", async () => {
  const early = openSource(20_000, 1);
  assertEquals((await early.send()).status, 400);
  assertEquals([early.source.open, early.errors.length], [0, 1]);
  const late = openSource(20_000, 10_000);
  const response = await late.send();
  assertEquals([response.status, response.headers.get("etag")], [200, null]);
  await assertRejects(() => response.text(), Error, "lost");
  assertEquals([late.source.open, late.errors.length], [0, 1]);
});

test("a list that fails while it is closed is reported, and the response is the same", async () => {
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(`${error}`);
  async function* encode() {
    try {
      yield* LONG.map((plant) => JSON.stringify(plant));
    } finally {
      errors.push("closed");
      await Promise.reject(new Error("lost"));
    }
  }
  const list = {
    version: "1",
    limit: Infinity,
    [ENCODE]: encode,
    [Symbol.iterator]: () => LONG.values(),
  };
  const handler = createHandler(
    { authenticate: () => ({ name: "u", list: () => list }) },
    { onError },
  );
  const authorization = "Bearer t";
  for (
    const init of [{ method: "HEAD" }, { headers: { "if-none-match": "*" } }]
  ) {
    const headers = { authorization, ...init.headers };
    const response = await handler("/plants", { ...init, headers });
    assertEquals(response.status, init.method ? 200 : 304);
  }
  const { body } = await handler("/plants", { headers: { authorization } });
  await body!.cancel();
  assertEquals(errors, Array(3).fill(["closed", "Error: lost"]).flat());
});
