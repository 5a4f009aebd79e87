import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { parse } from "@std/yaml/parse";
import { run, startServer } from "../support/command.ts";

/** The address that a document names as its server. */
function readServer(document: string): unknown {
  const { servers: [{ url }] } = JSON.parse(document);
  return url;
}

test("openapi prints the document that serve answers with", async (t) => {
  for (
    const options of [
      [],
      ["--base-path", "/api", "--host", "localhost"],
      ["--public-url", "https://plants.example/v1/"],
    ]
  ) {
    const server = await startServer(t, options);
    const response = await fetch(`${server.url}openapi.json`);
    const { status, stdout, stderr } = await run(
      ["openapi", "--port", `${server.port}`, ...options],
    );
    assertEquals([status, stderr], [0, ""]);
    assertEquals(stdout, await response.text());
  }
});

test("openapi names the address that serve listens on", async () => {
  for (
    const [args, env, url] of [
      [[], {}, "http://127.0.0.1:8000"],
      [[], { PORT: "81", BASE_PATH: "/v1" }, "http://127.0.0.1:81/v1"],
      [["--host", "0.0.0.0", "--port=80"], {}, "http://127.0.0.1"],
      [["--host", "::"], {}, "http://[::1]:8000"],
      [[], { PUBLIC_URL: "https://p.example/" }, "https://p.example"],
    ] as const
  ) {
    const { status, stdout } = await run(["openapi", ...args], env);
    assertEquals([status, readServer(stdout)], [0, url]);
  }
});

test("openapi refuses what makes no address, with 2", async () => {
  for (
    const [args, message] of [
      [["--public-url=x"], /^plant-store: --public-url must [^\n]*\n$/],
      [["--port=0"], /^plant-store: [^\n]* http:\/\/127\.0\.0\.1:0; [^\n]*\n$/],
      [["--host=fe80::1%eth0"], /^plant-store: [^\n]* --host [^\n]*\n$/],
    ] as const
  ) {
    const { status, stdout, stderr } = await run(["openapi", ...args]);
    assertEquals([status, stdout], [2, ""]);
    assertMatch(stderr, message);
  }
});

test("openapi --yaml prints the same document as YAML", async () => {
  const args = ["openapi", "--public-url", "https://plants.example"];
  const { stdout: json } = await run(args);
  const { status, stdout, stderr } = await run([...args, "--yaml"]);
  assertEquals([status, stderr], [0, ""]);
  assertMatch(stdout, /^openapi: 3\.1\.0\n/);
  assertEquals(parse(stdout), JSON.parse(json));
});
