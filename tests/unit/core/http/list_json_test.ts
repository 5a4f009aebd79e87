import { Buffer } from "node:buffer";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
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
  MAX_SHORT_LENGTH,
} from "../../../../src/core/http/list_json.ts";
import { findHeader } from "../../../../src/core/http/response.ts";
import { createService } from "../../../../src/core/http/service.ts";
import fc from "../../../support/fast_check.ts";

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
  return { ...response, etag, plants: await user!.list(limit) };
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
      const chunks = [...found.chunks ?? [Buffer.from(found.body!)]];
      const text = JSON.stringify(found.plants);
      assertEquals(Buffer.concat(chunks).toString(), text);
      const isLong = text.length > MAX_SHORT_LENGTH;
      assertEquals(found.chunks !== undefined, isLong);
      assertEquals(findHeader(found.headers, "content-length") === -1, isLong);
      const longest = Math.max(0, ...all.map((name) => 6 * name.length));
      for (const { length } of found.chunks ? chunks : []) {
        assert(length <= 3 * CHUNK_LENGTH + longest, `${length} bytes`);
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
  assert((await reader.read()).value!.length < 2 * CHUNK_LENGTH);
  store.replace({ plants: [], users }); // which changes only later responses
  assertEquals(await response.json(), LONG);
  const head = await handler("/plants", { headers, method: "HEAD" });
  assertEquals([await head.text(), bytes], ["", [undefined, 0]]);
});
