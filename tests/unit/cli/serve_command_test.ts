import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { SERVE_OPTIONS } from "../../../src/cli/serve_options.ts";
import { digest } from "../../contract/stores.ts";
import { call } from "../../support/cli.ts";
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
  const [, line] = await server.until("stderr", /^(.+)\n$/);
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

/** What other programs set the variables of `serve` to. */
const FOREIGN: Readonly<Record<string, string>> = {
  PLANTS_FILE: "no.json",
  TOKENS_FILE: "no.json",
  DATABASE_URL: "mysql://root:s3cret@localhost/app",
  HOST: "x86_64-conda-linux-gnu.invalid",
  PORT: "tcp://10.0.0.1:80",
  BASE_PATH: "/app/",
  PUBLIC_URL: ".",
  CORS: "true",
  DELAY: "1s",
  LOG: "debug",
  SHUTDOWN_TIMEOUT: "30s",
  SHUTDOWN_DELAY: "5s",
};

test("messages name the variable that another program set", async () => {
  const { demo: _, ...rest } = SERVE_OPTIONS; // has no variable
  const options = Object.entries(rest);
  assertEquals(Object.keys(FOREIGN), options.map(([, { env }]) => env));
  for (const [name, { env }] of options) {
    // With this host, a server that accepts the value ends, too.
    const args = env === "HOST" ? [] : ["--host", "203.0.113.1"];
    const set = { PORT: "0", [env]: FOREIGN[env]! };
    const { status, stderr } = await call(args, set);
    assertEquals(status, /FILE|HOST/.test(env) ? 1 : 2);
    assertEquals(stderr.split("\n").length, 2, stderr);
    assertStringIncludes(
      stderr,
      `; unset ${env}, or choose another with --${name}\n`,
    );
    assertEquals(stderr.includes("s3cret"), false);
  }
});
