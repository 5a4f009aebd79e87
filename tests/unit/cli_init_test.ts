import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertRejects,
} from "@std/assert";
import { openFileStore } from "../../src/stores/files.ts";
import { call } from "../support/cli.ts";
import { makeFolder } from "../support/files.ts";

test("init creates valid files and prints a token", async (t) => {
  const folder = join(await makeFolder(t), "shop", "data");
  const { status, stdout, stderr } = await call(["init", folder]);
  assertEquals(status, 0);
  assertMatch(stdout, /^ps_[A-Za-z0-9_-]{43}\n$/);
  const names = ["plants.json", "tokens.json"];
  const [plants, tokens] = names.map((name) => join(folder, name));
  const options = `--plants ${plants} --tokens ${tokens}"\n`;
  assertMatch(stderr, new RegExp(`run "plant-store ${options}`));
  assertMatch(stderr, new RegExp(`add curator --tokens ${tokens}"\n$`));
  const schemas = ["plants.schema.json", "tokens.schema.json"];
  assertEquals((await readdir(folder)).sort(), [...names, ...schemas].sort());
  assertEquals(
    await readFile(plants!, "utf8"),
    await readFile("data/plants.json", "utf8"),
  );
  await using store = await openFileStore({
    plants: plants!,
    tokens: tokens!,
    watch: false,
  });
  assertEquals(store.authenticate(stdout.trim())?.user, "curator");
});

test("init escapes control characters in the paths that it prints", async (t) => {
  const folder = join(await makeFolder(t), "a\u009b31mb");
  const { stderr } = await call(["init", folder]);
  assertMatch(stderr, /a\\u009b31mb/);
  assertNotMatch(stderr, /\u009b/);
});

test("init writes nothing if a file or a symbolic link exists", async (t) => {
  const other = await makeFolder(t);
  await writeFile(join(other, "tokens.schema.json"), "{}");
  const dangling = await makeFolder(t);
  await symlink("nowhere", join(dangling, "tokens.json"));
  for (
    const [folder, file] of [
      [other, "tokens.schema.json"],
      [dangling, "tokens.json"],
    ] as const
  ) {
    await assertRejects(
      () => call(["init", folder]),
      Error,
      `"${join(folder, file)}" already exists; nothing written`,
    );
    assertEquals(await readdir(folder), [file]);
  }
});
