import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import plants from "../../../data/plants.json" with { type: "json" };
import { run, startServer } from "../../../tools/start_cli.ts";
import { makeFolder } from "../../support/files.ts";
import { list } from "../../../tools/send.ts";

test("serve --demo serves the demo data", async (t) => {
  const folder = await makeFolder(t);
  const args = ["--demo", "--host", "0.0.0.0"];
  const server = await startServer(t, args, {}, folder);
  await server.until(
    "stderr",
    /^plant-store: warning: this server listens on .*\n$/,
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

test("serve serves no demo data without --demo", async (t) => {
  const folder = await makeFolder(t);
  // If it serves demo data, it cannot listen, and ends, too.
  const host = ["--host", "203.0.113.1"];
  async function assertFails(message: string, env = {}) {
    const { status, stderr } = await run(host, env, folder);
    assertEquals(status, 1);
    assertStringIncludes(stderr, message);
    return stderr;
  }
  const neither =
    "plant-store: data/plants.json and data/tokens.json do not exist; to create them, run: ";
  const printed = await assertFails(neither);
  assertStringIncludes(printed, "; to serve the demo data, run: ");
  const noPlants = 'cannot read "data/plants.json": ';
  await assertFails(noPlants, { TOKENS_FILE: "no.json" });

  await mkdir(join(folder, "data"));
  await assertFails(neither); // such as a volume that is not mounted yet
  await symlink("nowhere", join(folder, "data", "tokens.json"));
  await assertFails(noPlants);
});
