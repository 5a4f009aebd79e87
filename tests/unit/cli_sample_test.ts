import { cp, mkdir, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import plants from "../../data/plants.json" with { type: "json" };
import { makeFolder, writeFiles } from "../support/files.ts";
import { run, startServer } from "../support/command.ts";

/** Lists the plants that a server has for a token. */
function list(url: string, token: string): Promise<Response> {
  return fetch(`${url}plants`, {
    headers: { authorization: `Bearer ${token}` },
  });
}

const NOTICE = /serving demo data.*"plant-store init"/;

test("serve has demo data where nothing is named and nothing is there", async (t) => {
  const folder = await makeFolder(t);
  const server = await startServer(t, [], { PLANTS_FILE: "" }, folder);
  await server.until(
    "stderr",
    /^plant-store: serving demo data because data\/plants\.json and data\/tokens\.json do not exist; create them with "plant-store init"\n$/,
  );
  await server.until("stdout", /\ncurl .*demo-curator.*\n$/);

  // It is that of the files, byte for byte.
  const files = await startServer(t);
  for (const token of ["demo-curator", "demo-florist", "demo-visitor"]) {
    const own = await list(server.url, token);
    const other = await list(files.url, token);
    assertEquals(own.headers.get("etag"), other.headers.get("etag"));
    assertEquals(await own.text(), await other.text());
  }
  for (const token of ["demo-expired", "demo-curator0"]) {
    const response = await list(server.url, token);
    assertEquals(response.status, 401);
    await response.text();
  }
  server.kill("SIGHUP");
  const response = await list(server.url, "demo-curator");
  assertEquals(await response.json(), plants);
  server.kill("SIGTERM");
  assertEquals((await server.ended).status, 0);
});

test("serve warns that others may use the demo data", async (t) => {
  const folder = await makeFolder(t);
  const server = await startServer(t, ["--host", "0.0.0.0"], {}, folder);
  await server.until("stderr", /demo data.*\n.*warning: 0\.0\.0\.0 .*\n$/);
});

test("serve has no demo data where a file is named or there", async (t) => {
  const empty = await makeFolder(t);
  const files = await writeFiles(t, {});
  const half = await makeFolder(t);
  await mkdir(join(half, "data"));
  await cp(resolve("data/plants.json"), join(half, "data/plants.json"));
  const dangling = await makeFolder(t);
  await mkdir(join(dangling, "data"));
  await symlink("nowhere", join(dangling, "data/plants.json"));
  for (
    const [folder, args, env, missing] of [
      [empty, ["--plants", "data/plants.json"], {}, "data/plants.json"],
      [empty, ["--plants", files.plants], {}, "data/tokens.json"],
      [empty, [], { TOKENS_FILE: files.tokens }, "data/plants.json"],
      [half, [], {}, "data/tokens.json"],
      [dangling, [], {}, "data/plants.json"],
    ] as const
  ) {
    const { status, stdout, stderr } = await run(
      ["--port", "0", ...args],
      env,
      folder,
    );
    assertEquals(status, 1);
    assertEquals(stdout, "");
    assertMatch(
      stderr,
      new RegExp(`^plant-store: cannot read "${missing}": file not found`),
    );
  }
});

test("serve has the files that init wrote", async (t) => {
  const folder = await makeFolder(t);
  const { status, stdout } = await run(["init"], {}, folder);
  assertEquals(status, 0);
  const server = await startServer(t, [], {}, folder);
  const response = await list(server.url, stdout.trim());
  assertEquals(await response.json(), plants);
  server.kill("SIGTERM");
  assertNotMatch((await server.ended).stderr, NOTICE);
});
