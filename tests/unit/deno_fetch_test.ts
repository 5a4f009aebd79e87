import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { test, type TestContext } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { writeFiles } from "../support/files.ts";
import { type Running, watch } from "../support/command.ts";

/** Starts `deno serve --parallel`; the test stops it. */
function serveInParallel(
  t: TestContext,
  env: Readonly<Record<string, string>>,
): Running {
  const map = process.env["IMPORT_MAP"];
  const running = watch(spawn(process.execPath, [
    "serve",
    "--parallel",
    "--allow-all",
    "--host=127.0.0.1",
    "--port=0",
    ...map ? [`--import-map=${map}`] : [],
    "src/cli/fetch.ts",
  ], {
    env: { ...process.env, NO_COLOR: "1", DENO_JOBS: "2", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  }));
  t.after(async () => {
    running.kill("SIGKILL");
    await running.ended;
  });
  return running;
}

test("deno serve --parallel serves the files", async (t) => {
  const running = serveInParallel(t, {
    BASE_PATH: "/api",
    PUBLIC_URL: "https://plants.example",
    LIMITS: "urlLength=30",
  });
  const [, url] = await running.until("stderr", /Listening on (http:\S+)/);
  for (let round = 0; round < 10; round++) {
    const response = await fetch(new URL("/api/plants?limit=1", url), {
      headers: { authorization: "Bearer demo-curator" },
    });
    assertEquals((await response.json()).length, 1);
  }
  const response = await fetch(new URL("/api/openapi.json", url));
  const { servers } = await response.json();
  assertEquals(servers, [{ url: "https://plants.example" }]);
  const long = await fetch(new URL(`/api/plants?${"x".repeat(30)}`, url));
  await long.body?.cancel();
  assertEquals(long.status, 414);
});

test("deno serve --parallel logs requests and rejected files", async (t) => {
  const files = await writeFiles(t, {});
  const running = serveInParallel(t, {
    LOG: "requests",
    DENO_JOBS: "1", // another process might load the invalid file at its start
    PLANTS_FILE: files.plants,
    TOKENS_FILE: files.tokens,
  });
  const [, url] = await running.until("stderr", /Listening on (http:\S+)/);
  await (await fetch(new URL("/healthz", url))).text();
  await running.until("stderr", /"\/healthz","status":200/);
  await writeFile(files.plants, "[");
  await running.until("stderr", /"message":".*plants\.json:1:2: invalid JSON/);
});

test("deno serve --parallel reports the problems in the files", async (t) => {
  const running = serveInParallel(t, { PLANTS_FILE: "deno.json" });
  const { status, stderr } = await running.ended;
  assertEquals(status, 1);
  assertMatch(stderr, /deno\.json:1:1: expected an array of plants/);
});
