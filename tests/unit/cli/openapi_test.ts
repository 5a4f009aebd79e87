import { test } from "node:test";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { parse } from "@std/yaml/parse";
import { UsageError } from "../../../src/cli/options.ts";
import { call } from "../../support/cli.ts";
import { run, startServer } from "../../support/command.ts";

test("openapi prints the document that serve returns", async (t) => {
  const options = ["--base-path", "/api", "--host", "localhost"];
  const server = await startServer(t, options);
  const response = await fetch(`${server.url}openapi.json`);
  const { status, stdout, stderr } = await run(
    ["openapi", "--port", `${server.port}`, ...options],
  );
  assertEquals([status, stderr], [0, ""]);
  assertEquals(stdout, await response.text());
});

for (
  const [args, env, expected] of [
    [[], { PORT: "81", BASE_PATH: "/v1" }, "http://127.0.0.1:81/v1"],
    [["--host", "0.0.0.0", "--port=80"], {}, "http://127.0.0.1"],
    [["--host", "::"], {}, "http://[::1]:8000"],
    [[], { PUBLIC_URL: "https://p.example/" }, "https://p.example"],
  ] as const
) {
  test(`openapi prints the server URL ${expected}`, async () => {
    const { status, stdout } = await run(["openapi", ...args], env);
    const { servers: [{ url }] } = JSON.parse(stdout);
    assertEquals([status, url], [0, expected]);
  });
}

for (
  const [option, message] of [
    ["--public-url=x", /^--public-url must /],
    ["--port=0", / "http:\/\/127\.0\.0\.1:0"; /],
    ["--host=fe80::1%eth0", / --host /],
  ] as const
) {
  test(`openapi rejects ${option}`, async () => {
    const command = () => call(["openapi", option]);
    assertMatch((await assertRejects(command, UsageError)).message, message);
  });
}

test("openapi --yaml prints the same document as YAML", async () => {
  const args = ["openapi", "--public-url", "https://plants.example"];
  const { stdout: json } = await run(args);
  const { status, stdout, stderr } = await run([...args, "--yaml"]);
  assertEquals([status, stderr], [0, ""]);
  assertMatch(stdout, /^openapi: 3\.1\.0\n/);
  assertEquals(parse(stdout), JSON.parse(json));
});
