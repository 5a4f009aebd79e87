import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { test } from "node:test";
import {
  assert,
  assertEquals,
  assertNotMatch,
  assertRejects,
} from "@std/assert";
import plants from "../../data/plants.json" with { type: "json" };
import { openDemoStore } from "../../src/cli/demo_store.ts";
import { StoreFileError } from "../../src/stores/file_error.ts";
import { openFileStore } from "../../src/stores/files.ts";
import type { EncodedList } from "../../mod.ts";
import { call } from "../support/cli.ts";
import { run, startServer } from "../support/command.ts";
import { makeFolder, writeFiles } from "../support/files.ts";

async function list(url: string, token: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  return await (await fetch(`${url}plants`, { headers })).json();
}

test("openDemoStore() lists the plants in the sample files", async () => {
  const demo = openDemoStore();
  await using files = await openFileStore({
    plants: "data/plants.json",
    tokens: "data/tokens.json",
    watch: false,
  });
  for (const token of ["demo-curator", "demo-florist", "demo-visitor"]) {
    const viewer = await demo.authenticate(token);
    const list = await viewer!.list() as EncodedList;
    const expected = await files.authenticate(token)!.list() as EncodedList;
    assertEquals([list.etag, list.body], [expected.etag, expected.body]);
  }
  for (const token of ["demo-expired", "demo-curator0"]) {
    assertEquals(await demo.authenticate(token), undefined);
  }
});

test("the sample plants have unique names and the tags in their README", async () => {
  const readme = await readFile("data/README.md", "utf8");
  const tags = Array.from(
    readme.matchAll(/^\| `(\w+)` +\|/gm),
    ([, tag]) => tag,
  );
  const used = new Set(plants.flatMap(({ tag }) => tag ?? []));
  assertEquals([...used].sort(), tags.sort());
  assertEquals(new Set(plants.map(({ name }) => name)).size, plants.length);
  assert(plants.length >= 150);
});

test("serve serves demo data if no path is set and both files are missing", async (t) => {
  const folder = await makeFolder(t);
  const env = { PLANTS_FILE: "" };
  const server = await startServer(t, ["--host", "0.0.0.0"], env, folder);
  await server.until(
    "stderr",
    /^plant-store: serving demo data because data\/plants\.json and data\/tokens\.json do not exist; create them with "plant-store init"\nplant-store: warning: 0\.0\.0\.0 .*\n$/,
  );
  await server.until("stdout", /\ncurl .*demo-curator.*\n$/);
  server.kill("SIGHUP");
  assertEquals(await list(server.url, "demo-curator"), plants);
  server.kill("SIGTERM");
  assertEquals((await server.ended).status, 0);
});

test("serve serves no demo data if a path is set or a file exists", async (t) => {
  const empty = await makeFolder(t);
  const files = await writeFiles(t, {});
  const half = await makeFolder(t);
  await mkdir(join(half, "data"));
  await cp(resolve("data/plants.json"), join(half, "data/plants.json"));
  const dangling = await makeFolder(t);
  await mkdir(join(dangling, "data"));
  await symlink("nowhere", join(dangling, "data/plants.json"));
  const file = await makeFolder(t);
  await writeFile(join(file, "data"), "");
  const before = process.cwd();
  t.after(() => process.chdir(before));
  for (
    const [folder, args, env, missing] of [
      [empty, ["--plants", "data/plants.json"], {}, "data/plants.json"],
      [empty, ["--plants", files.plants], {}, "data/tokens.json"],
      [empty, [], { TOKENS_FILE: files.tokens }, "data/plants.json"],
      [half, [], {}, "data/tokens.json"],
      [dangling, [], {}, "data/plants.json"],
      [file, [], {}, "data/plants.json"],
    ] as const
  ) {
    process.chdir(folder);
    await assertRejects(
      () => call(["--port", "0", ...args], env),
      StoreFileError,
      `cannot read "${missing}": `,
    );
  }
});

test("serve serves the files that init created", async (t) => {
  const folder = await makeFolder(t);
  const { status, stdout } = await run(["init"], {}, folder);
  assertEquals(status, 0);
  const server = await startServer(t, [], {}, folder);
  assertEquals(await list(server.url, stdout.trim()), plants);
  server.kill("SIGTERM");
  assertNotMatch((await server.ended).stderr, /demo data/);
});
