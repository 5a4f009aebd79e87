import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertRejects,
} from "@std/assert";
import { openFileStore } from "../../../src/stores/files.ts";
import { PROGRAM } from "../../../src/stores/catalog/program.ts";
import { digest } from "../../contract/stores.ts";
import { call } from "../../support/cli.ts";
import { run } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";

test("init creates valid files and prints a token", async (t) => {
  const folder = join(await makeFolder(t), "shop", "data");
  const { status, stdout, stderr } = await call(["init", folder]);
  assertEquals(status, 0);
  assertMatch(stdout, /^ps_[A-Za-z0-9_-]{43}\n$/);
  const names = ["plants.json", "tokens.json"];
  const [plants, tokens] = names.map((name) => join(folder, name));
  const options = `--plants ${plants} --tokens ${tokens}\n`;
  assertMatch(stderr, new RegExp(`run: ${PROGRAM} ${options}`));
  assertMatch(stderr, new RegExp(`add curator --tokens ${tokens}\n$`));
  const schemas = ["plants.schema.json", "tokens.schema.json"];
  const all = [...names, ...schemas, "README.md"];
  assertEquals((await readdir(folder)).sort(), all.sort());
  const readme = await readFile(join(folder, "README.md"), "utf8");
  assertEquals(readme.includes(stdout.trim()), false);
  assert(readme.includes(` token add USER --tokens ${tokens}\n`));
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

for (
  const [variable, value] of [
    ["PLANTS_FILE", "plants.json"],
    ["TOKENS_FILE", "tokens.json"],
    ["DATABASE_URL", "postgres://h/d"],
    ["DATABASE_URL", ""],
  ] as const
) {
  test(`init suggests commands that use the new files with ${variable}=${value}`, async (t) => {
    const env = { [variable]: value };
    const { stderr } = await run(["init"], env, await makeFolder(t));
    const plants = value && " --plants data/plants.json";
    const tokens = value && " --tokens data/tokens.json";
    for (const rest of [plants + tokens, ` token add curator${tokens}`]) {
      assertMatch(stderr, new RegExp(`, run: .*plant-store(?: --)?${rest}\n`));
    }
  });
}

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
      `"${join(folder, file)}" already exists; nothing was written`,
    );
    assertEquals(await readdir(folder), [file]);
  }
});

test("init keeps an existing README.md", async (t) => {
  const folder = await makeFolder(t);
  const path = join(folder, "README.md");
  await writeFile(path, "mine");
  await call(["init", folder]);
  assertEquals(await readFile(path, "utf8"), "mine");
});

/** The rows of the table of demo tokens in a README.md, sorted. */
function readTable(text: string): readonly (readonly string[])[] {
  const rows = text.matchAll(/^\| `(demo-\w+)` *\| (\w+) *\|(?: `(\w+)`)?/gm);
  return Array.from(rows, ([, token, user, id]) => [token!, user!, id!]).sort();
}

test("each README.md says which demo token belongs to which user", async (t) => {
  const users: Record<string, { tokens?: readonly { sha256: string }[] }> = JSON
    .parse(await readFile("data/tokens.json", "utf8"));
  const table = readTable(await readFile("data/README.md", "utf8"));
  for (const [token, user, id] of table) {
    const { tokens } = users[user!]!;
    assert(tokens!.some(({ sha256 }) => sha256 === digest(token!)), token);
    assertEquals(digest(token!).slice(0, 8), id);
  }
  const count =
    Object.values(users).flatMap(({ tokens = [] }) => tokens).length;
  assertEquals(table.length, count);

  const folder = await makeFolder(t);
  await call(["init", folder]);
  const copy = readTable(await readFile(join(folder, "README.md"), "utf8"));
  const pairs = (rows: typeof table) =>
    rows.map(([token, user]) => [token, user]);
  assertEquals(pairs(copy), pairs(table));
});
