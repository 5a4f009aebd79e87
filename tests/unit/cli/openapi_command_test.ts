import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { createDemoStore, createHandler } from "../../../mod.ts";
import { openapi } from "../../../src/openapi/openapi.ts";
import { call } from "../../support/cli.ts";

test("openapi prints the document that a handler returns for the demo data", async () => {
  const handler = createHandler(createDemoStore(), {
    openapi,
    basePath: "/api",
  });
  const url = "http://127.0.0.1:8000/api";
  const response = await handler(new Request(`${url}/openapi.json`));
  const { stdout } = await call(["openapi", "--public-url", url]);
  assertEquals(stdout, await response.text());
});

for (
  const [env, expected] of [
    [{}, "http://127.0.0.1:8000"],
    [{ PUBLIC_URL: "https://p.example/v1/" }, "https://p.example/v1"],
  ] as const
) {
  test(`openapi prints the server URL ${expected}`, async () => {
    const { status, stdout } = await call(["openapi"], env);
    const { servers: [{ url }] } = JSON.parse(stdout);
    assertEquals([status, url], [0, expected]);
  });
}

test("openapi rejects an invalid URL", async () => {
  const { status, stderr } = await call(["openapi", "--public-url=x"]);
  assertEquals(status, 2);
  assertMatch(stderr, /^plant-store: --public-url must /);
});
