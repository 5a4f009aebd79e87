import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { openFileStore } from "../../../src/stores/files.ts";
import { PROGRAM } from "../../../src/cli/invocation.ts";
import { call } from "../../support/cli.ts";
import { filesIn, makeFolder } from "../../support/files.ts";

test("init creates valid files and prints a token", async (t) => {
  const folder = join(await makeFolder(t), "shop", "data");
  const { status, stdout, stderr } = await call(["init", folder]);
  assertEquals(status, 0);
  assertMatch(stdout, /^ps_[A-Za-z0-9_-]{43}\n$/);
  const { plants, tokens } = filesIn(folder);
  const options = `--plants "${plants}" --tokens "${tokens}"\n`;
  assertMatch(stderr, new RegExp(`run: ${PROGRAM} ${options}`));
  assertMatch(stderr, / token\):\n$/);
  assertEquals((await readdir(folder)).sort(), [
    ...["README.md", "plants.json", "plants.schema.json"],
    ...["tokens.json", "tokens.schema.json"],
  ]);
  const readme = await readFile(join(folder, "README.md"), "utf8");
  assertEquals(readme.includes(stdout.trim()), false);
  assert(readme.includes(`${PROGRAM} token\n`));
  assertEquals(
    await readFile(plants, "utf8"),
    await readFile("data/plants.json", "utf8"),
  );
  await using store = await openFileStore({ plants, tokens, watch: false });
  const user = await store.authenticate(stdout.trim());
  assertEquals(user?.name, "curator");
});

test("init suggests options unless serve would use the new files", async (t) => {
  for (const name of ["plants", "tokens"]) {
    const folder = await makeFolder(t);
    const path = `${folder}/./${name}.json`; // the same file
    const variable = `${name.toUpperCase()}_FILE`;
    const { stderr } = await call(["init", folder], { [variable]: path });
    const other = name === "plants" ? "tokens" : "plants";
    const option = ` --${other} "${join(folder, `${other}.json`)}"\n`;
    assertMatch(stderr, new RegExp(`, run: .*plant-store(?: --)?${option}`));
  }
});

test("init escapes control characters in the paths that it prints", async (t) => {
  const folder = join(await makeFolder(t), "a\u009b31mb");
  const { stderr } = await call(["init", folder]);
  assertMatch(stderr, /a\\u009b31mb/);
  assertNotMatch(stderr, /\u009b/);
});

test("init creates the files that are missing", async (t) => {
  for (const [name, other] of [["plants", "tokens"], ["tokens", "plants"]]) {
    const folder = await makeFolder(t);
    const kept = [`${name}.json`, "README.md", "tokens.schema.json"];
    for (const file of kept) await writeFile(join(folder, file), "mine");
    const { status, stdout, stderr } = await call(["init", folder]);
    assertEquals([status, stdout !== ""], [0, other === "tokens"]);
    const created = join(folder, `${other}.json`);
    assert(stderr.startsWith(`plant-store: created ${created}; to start `));
    for (const file of kept) {
      assertEquals(await readFile(join(folder, file), "utf8"), "mine");
    }
    assertEquals((await readdir(folder)).length, 5);
  }
});

test("init writes nothing if both files exist, even as symbolic links", async (t) => {
  const folder = await makeFolder(t);
  for (const path of Object.values(filesIn(folder))) {
    await symlink("nowhere", path);
  }
  const { status, stderr } = await call(["init", folder]);
  const message =
    `both files in "${folder}" already exist; choose another folder`;
  assertEquals([status, stderr], [1, `plant-store: ${message}\n`]);
  assertEquals((await readdir(folder)).length, 2);
});

test("the README.md of init says how to add a user", async (t) => {
  const folder = await makeFolder(t);
  const { stdout } = await call(["init", folder]);
  const readme = await readFile(join(folder, "README.md"), "utf8");
  const [, line] = /```json\n(.*)\n```/.exec(readme)!;
  const { plants, tokens } = filesIn(folder);
  const text = await readFile(tokens, "utf8");
  await writeFile(tokens, text.replace('"curator"', `${line}$&`));
  await using store = await openFileStore({ plants, tokens, watch: false });
  const names = ["wonderland", stdout.trim()].map(async (token) =>
    (await store.authenticate(token))?.name
  );
  assertEquals(await Promise.all(names), ["alice", "curator"]);
});
