import { assert, assertEquals, assertRejects } from "@std/assert";
import { createHandler, StoreUnavailableError } from "../../../mod.ts";
import { explorer } from "../../../src/explorer/explorer.ts";
import { openapi } from "../../../src/openapi/openapi.ts";
import { serve } from "../../../src/server/serve.ts";
import { openFileStore, StoreFileError } from "../../../src/stores/files.ts";
import { verify } from "../../../src/verify/verify.ts";
import { openFiles } from "../../contract/stores.ts";

// Tests the library in Vitest with jsdom, where some built-in classes are those of
// the window, and others are those of Node.js.

// `npm run check` does not need the packages of the tests.
const vitest = "vitest";
const { afterAll, test } = await import(vitest);

const store = await openFiles();
afterAll(() => store.close());

test("jsdom: the window has its own classes", () => {
  assert("window" in globalThis);
  assertEquals(new TextEncoder().encode() instanceof Uint8Array, false);
});

test("jsdom: a handler passes the contract, and returns documents", async () => {
  const statuses = new Set<string>();
  const handler = createHandler(store, { openapi, explorer });
  for await (const { id, status } of verify(handler)) {
    assert(status !== "failed", id);
    statuses.add(status);
  }
  assert(statuses.has("passed"));
  for (const path of ["/openapi.json", "/"]) {
    assertEquals((await handler(path)).status, 200, path);
  }
});

test("jsdom: a server responds", async () => {
  await using server = await serve(store, { port: 0 });
  assertEquals((await fetch(new URL("healthz", server.url))).status, 200);
});

test("jsdom: the class of an error is known", async () => {
  const handler = createHandler({
    authenticate() {
      throw new StoreUnavailableError("closed for a test");
    },
  });
  const headers = { authorization: "Bearer p3tal" };
  assertEquals((await handler("/plants", { headers })).status, 503);

  const missing = { plants: "missing.json", tokens: "missing.json" };
  await assertRejects(() => openFileStore(missing), StoreFileError);
});
