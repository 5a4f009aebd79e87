import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { QueryClient } from "@tanstack/query-core"; // or "@tanstack/react-query"
import { createHandler, withBehavior } from "plant-store";
import { listNames } from "./client.ts";
import { CONTENT, store } from "./plants.ts";

/** Lists plants with two retries, of which this number is needed. */
async function listAfter(
  t: { readonly mock: typeof import("node:test").mock },
  failures: number,
): Promise<readonly string[]> {
  const florist = { fail: `${failures}/9` } as const;
  const handler = createHandler(withBehavior(store, { florist }));
  t.mock.method(globalThis, "fetch", handler);
  const queries = { retry: 2, retryDelay: 0 };
  const client = new QueryClient({ defaultOptions: { queries } });
  return await client.fetchQuery({
    queryKey: ["plants"],
    queryFn: () => listNames("p3tal"),
  });
}

beforeEach(() => store.replace(CONTENT));

test("TanStack Query: retries until the service responds", async (t) => {
  assert.deepEqual(await listAfter(t, 2), ["Rosa canina"]);
});

test("TanStack Query: reports a service that fails three times", async (t) => {
  await assert.rejects(listAfter(t, 3), /^Error: 503: /);
});
