import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { assertEquals, assertMatch } from "@std/assert";
import { digest } from "../../contract/stores.ts";
import { startServer } from "../../../tools/start_cli.ts";
import { writeFiles } from "../../support/files.ts";

const exec = promisify(execFile);

/** Runs the `curl` line of a server in a shell; it lists three plants. */
async function assertCurlWorks(
  server: Awaited<ReturnType<typeof startServer>>,
): Promise<void> {
  const [, line] = await server.until("stdout", /\n(curl .*)\n/);
  const command = line!.replace("curl", "curl -sS");
  const { stdout } = await exec("sh", ["-c", command]);
  assertEquals(JSON.parse(stdout).length, 3);
}

for (
  const [option, value, url] of [
    ["--base-path", "/a$HOME'`[1-2]", /\/$/],
    ["--host", "::1", /^http:\/\/\[::1\]:\d+\/$/],
  ] as const
) {
  test(`serve prints a working curl line with ${option} ${value}`, async (t) => {
    const server = await startServer(t, [option, value]);
    assertMatch(server.url, url);
    await assertCurlWorks(server);
  });
}

test("serve reads options from variables and ignores empty ones", async (t) => {
  const files = await writeFiles(t, {
    plants: [{ name: "a" }],
    tokens: { u: { plants: "all", tokens: [{ sha256: digest("t") }] } },
  });
  const server = await startServer(t, [], {
    PLANTS_FILE: files.plants,
    TOKENS_FILE: files.tokens,
    HOST: "",
    PORT: "1",
    BASE_PATH: "/v1",
    CORS: "https://a.example",
    LOG: "requests",
    PUBLIC_URL: "https://plants.example/v2/",
  });
  assertMatch(server.url, /^http:\/\/127\.0\.0\.1:\d+\/v1\/$/);
  const response = await fetch(`${server.url}plants?limit=9&x=t`, {
    headers: { authorization: "Bearer t", origin: "https://a.example" },
  });
  assertEquals(await response.json(), [{ name: "a" }]);
  assertEquals(
    response.headers.get("access-control-allow-origin"),
    "https://a.example",
  );
  const [, line] = await server.until(
    "stderr",
    /the proxy must change \/v2\/plants to \/v1\/plants; .*\n(.+)\n$/,
  );
  const { path, user, requestId } = JSON.parse(line!);
  assertEquals([path, user], ["/v1/plants", "u"]);
  assertEquals(response.headers.get("x-request-id"), requestId);
  // No demo token is valid here.
  await server.until(
    "stdout",
    /\ncurl -H "Authorization: Bearer <token>" "https:\/\/plants\.example\/v2\/plants\?limit=3"\n$/,
  );
  const document = await fetch(`${server.url}openapi.json`);
  assertEquals((await document.json()).servers, [
    { url: "https://plants.example/v2" },
  ]);
});
