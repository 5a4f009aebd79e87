import { assertEquals, assertRejects } from "@std/assert";
import { listNames } from "./client.ts";
import { CONTENT, failing, handler, store, unavailable } from "./plants.ts";

/** Replaces the network with a handler during a test. */
function testWith(
  name: string,
  network: typeof fetch,
  run: () => Promise<void>,
): void {
  Deno.test(name, async () => {
    store.replace(CONTENT);
    const original = globalThis.fetch;
    globalThis.fetch = network;
    try {
      await run();
    } finally {
      globalThis.fetch = original;
    }
  });
}

testWith("Deno: lists the plants of the user", handler, async () => {
  assertEquals(await listNames("p3tal"), ["Rosa canina"]);
  await assertRejects(() => listNames("unknown"), Error, "401: Invalid bearer");
});

testWith("Deno: lists other plants", handler, async () => {
  store.replace({ ...CONTENT, plants: [] });
  assertEquals(await listNames("p3tal"), []);
});

testWith("Deno: reports an unavailable service", unavailable, async () => {
  await assertRejects(() => listNames("p3tal"), Error, "503: ");
});

testWith("Deno: reports a failing service", failing, async () => {
  await assertRejects(
    () => listNames("p3tal"),
    Error,
    "400: Unexpected failure",
  );
});
