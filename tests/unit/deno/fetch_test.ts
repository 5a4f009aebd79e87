import process from "node:process";
import { test, type TestContext } from "node:test";
import { assertEquals } from "@std/assert";
import { IMPORT_MAP, type Running } from "../../support/command.ts";
import { startProgramFor } from "../../support/program.ts";
import { list } from "../../support/send.ts";

/** Starts `deno serve --parallel`; the test stops it. */
function serveInParallel(
  t: TestContext,
  env: Readonly<Record<string, string>>,
): Running {
  return startProgramFor(t, process.execPath, [
    ...["serve", "--parallel", "--allow-all"],
    ...["--host=127.0.0.1", "--port=0", ...IMPORT_MAP],
    "src/cli/fetch.ts",
  ], { env: { DENO_JOBS: "2", LOG: "requests", ...env } });
}

test("deno serve --parallel serves the files", async (t) => {
  const running = serveInParallel(t, {
    BASE_PATH: "/api",
    PUBLIC_URL: "https://plants.example",
  });
  const [, url] = await running.until("stdout", /Listening on (http:\S+)/);
  for (let round = 0; round < 10; round++) {
    const response = await list(
      `${new URL("/api/", url)}`,
      "demo-curator",
      "?limit=1",
    );
    assertEquals((await response.json()).length, 1);
  }
  await running.until("stderr", /"\/api\/plants","status":200/);
  const response = await fetch(new URL("/api/openapi.json", url));
  const { servers } = await response.json();
  assertEquals(servers, [{ url: "https://plants.example" }]);
});
