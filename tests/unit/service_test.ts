import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { createMemoryStore } from "../../mod.ts";
import { createService } from "../../src/http/service.ts";

const store = createMemoryStore({ plants: [], users: {} });

for (
  const [method, target, status] of [
    ["OPTIONS", "*", 204],
    ["GET", "*", 404],
    ["CONNECT", "h:80", 405],
    ["GET", "/healthz?", 200],
    ["GET", "/healthz?1", 414],
  ] as const
) {
  test(`the service responds to ${method} ${target} with ${status}`, async () => {
    const { respond } = createService(store, { urlLength: 9 });
    const request = { method, target, origin: "", header: () => undefined };
    assertEquals((await respond(request)).status, status);
  });
}
