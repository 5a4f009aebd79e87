import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import plants from "../../../data/plants.json" with { type: "json" };
import { run, startServer } from "../../../tools/start_cli.ts";
import { makeFolder } from "../../support/files.ts";
import { list } from "../../../tools/send.ts";

test("serve serves demo data if no path is set and both files are missing", async (t) => {
  const folder = await makeFolder(t);
  const env = { PLANTS_FILE: "" };
  const server = await startServer(t, ["--host", "0.0.0.0"], env, folder);
  await server.until(
    "stderr",
    /^plant-store: serving demo data because data\/plants\.json and data\/tokens\.json do not exist; to create them, run: \S.* init; then restart the server\nplant-store: warning: this server listens on .*\n$/,
  );
  await server.until(
    "stdout",
    /\ncurl .*demo-curator.*\nDemo tokens:\n {2}demo-curator {6}all plants\n(?: {2}demo-\w+ +\w.*\n){6}$/,
  );
  assertEquals(await (await list(server.url)).json(), plants);
  assertEquals((await list(server.url, "demo-expired")).status, 401);
  const finished: string[] = [];
  const slow = list(server.url, "demo-slow");
  slow.then(() => finished.push("demo-slow"));
  for (
    const [token, ...statuses] of [
      ["demo-flaky", 503, 503, 200, 503],
      ["demo-limited", 429, 429],
      ["demo-unavailable", 503, 503],
    ] as const
  ) {
    for (const status of statuses) {
      assertEquals((await list(server.url, token)).status, status);
    }
  }
  assertEquals(finished, []);
  assertEquals(await (await slow).json(), plants);
  server.kill("SIGTERM");
  assertEquals((await server.ended).status, 0);
});

test("serve serves no demo data if a path is set or a file exists", async (t) => {
  const folder = await makeFolder(t);
  async function assertFails(missing: string, args: string[] = [], env = {}) {
    // If it serves demo data, it cannot listen, and ends, too.
    const all = ["--host", "203.0.113.1", ...args];
    const { status, stderr } = await run(all, env, folder);
    assertEquals(status, 1);
    assertStringIncludes(stderr, `cannot read "data/${missing}.json": `);
  }
  await assertFails("plants", ["--plants", "data/plants.json"]);
  await assertFails("plants", [], { TOKENS_FILE: "no.json" });

  await mkdir(join(folder, "data"));
  await symlink("nowhere", join(folder, "data", "tokens.json"));
  await assertFails("plants");
});
