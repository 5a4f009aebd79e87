import { test } from "node:test";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { UsageError } from "../../../src/cli/options.ts";
import { call } from "../../support/cli.ts";
import { run, startServer } from "../../support/command.ts";

test("openapi prints the document that serve returns", async (t) => {
  const server = await startServer(t, ["--base-path", "/api"]);
  const response = await fetch(`${server.url}openapi.json`);
  const { status, stdout, stderr } = await run(
    ["openapi", "--public-url", server.url],
  );
  assertEquals([status, stderr], [0, ""]);
  assertEquals(stdout, await response.text());
});

for (
  const [env, expected] of [
    [{}, "http://127.0.0.1:8000"],
    [{ PUBLIC_URL: "https://p.example/v1/" }, "https://p.example/v1"],
  ] as const
) {
  test(`openapi prints the server URL ${expected}`, async () => {
    const { status, stdout } = await run(["openapi"], env);
    const { servers: [{ url }] } = JSON.parse(stdout);
    assertEquals([status, url], [0, expected]);
  });
}

test("openapi rejects an invalid URL", async () => {
  const command = () => call(["openapi", "--public-url=x"]);
  const { message } = await assertRejects(command, UsageError);
  assertMatch(message, /^--public-url must /);
});
