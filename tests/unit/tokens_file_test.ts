import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { StoreFileError } from "../../src/stores/files.ts";
import { rewriteFile } from "../../src/stores/rewrite_file.ts";
import { updateUser } from "../../src/stores/tokens_file.ts";
import { makeFolder, writeFiles } from "../support/files.ts";

const NO_ACCESS = { plants: {}, tokens: [] };
const addUser = () => NO_ACCESS;
const bytes = (text: string) => new TextEncoder().encode(text);

/** What an edit leaves in the folder of a file. */
const filesBeside = (path: string) => readdir(dirname(path));

for (
  const [id, before, after] of [
    [
      "the order of users, also of numbers",
      '{\n  "b": {\n    "plants": "all",\n    "tokens": []\n  },\n  "42": {\n    "plants": {},\n    "tokens": []\n  }\n}\n',
      '{\n  "b": {\n    "plants": "all",\n    "tokens": []\n  },\n  "42": {\n    "plants": {},\n    "tokens": []\n  },\n  "7": {\n    "plants": {},\n    "tokens": []\n  }\n}\n',
    ],
    [
      "tabs and a byte order mark",
      '\uFEFF{\n\t"b": {\n\t\t"plants": "all",\n\t\t"tokens": []\n\t}\n}',
      '\uFEFF{\n\t"b": {\n\t\t"plants": "all",\n\t\t"tokens": []\n\t},\n\t"7": {\n\t\t"plants": {},\n\t\t"tokens": []\n\t}\n}',
    ],
    [
      "line ends",
      '{\r\n    "b": {\r\n        "plants": "all",\r\n        "tokens": []\r\n    }\r\n}\r\n',
      '{\r\n    "b": {\r\n        "plants": "all",\r\n        "tokens": []\r\n    },\r\n    "7": {\r\n        "plants": {},\r\n        "tokens": []\r\n    }\r\n}\r\n',
    ],
    [
      "other users as they are",
      '{\n  "b": { "plants":  "all", "tokens": [] }\n}',
      '{\n  "b": { "plants":  "all", "tokens": [] },\n  "7": {\n    "plants": {},\n    "tokens": []\n  }\n}',
    ],
    [
      "one line",
      '{"b":{"plants":"all","tokens":[]}}',
      '{"b":{"plants":"all","tokens":[]},"7": {"plants":{},"tokens":[]}}',
    ],
    [
      "$schema and __proto__",
      '{\n  "$schema": "x",\n  "__proto__": {\n    "plants": "all",\n    "tokens": []\n  }\n}',
      '{\n  "$schema": "x",\n  "__proto__": {\n    "plants": "all",\n    "tokens": []\n  },\n  "7": {\n    "plants": {},\n    "tokens": []\n  }\n}',
    ],
  ] as const
) {
  test(`updateUser() keeps ${id}`, async (t) => {
    const { tokens } = await writeFiles(t, { tokens: before });
    await updateUser(tokens, "7", addUser);
    assertEquals(await readFile(tokens, "utf8"), after);
  });
}

test("updateUser() changes nothing in a file that is invalid or would become invalid", async (t) => {
  for (const content of ["{", '{"u": {}}']) {
    const { tokens } = await writeFiles(t, { tokens: content });
    await assertRejects(
      () => updateUser(tokens, "7", addUser),
      StoreFileError,
      tokens,
    );
    assertEquals(await readFile(tokens, "utf8"), content);
  }
  const { tokens } = await writeFiles(t, { tokens: "{}" });
  await assertRejects(
    () => updateUser(tokens, "", addUser),
    StoreFileError,
  );
  await assertRejects(
    () =>
      updateUser(tokens, "7", () => {
        throw new Error("no such user");
      }),
    Error,
    "no such user",
  );
  assertEquals(await readFile(tokens, "utf8"), "{}");
  assertEquals((await filesBeside(tokens)).sort(), [
    "plants.json",
    "tokens.json",
  ]);
});

test("updateUser() reports a missing file", async () => {
  await assertRejects(
    () => updateUser("no/such.json", "7", addUser),
    StoreFileError,
    'cannot read "no/such.json": file not found',
  );
});

test("rewriteFile() keeps the mode, symlinks, and other files", async (t) => {
  const folder = await makeFolder(t);
  await mkdir(join(folder, "real"));
  const real = join(folder, "real", "a.json");
  const link = join(folder, "a.json");
  await writeFile(real, "old");
  await writeFile(`${real}.new`, "mine");
  await chmod(real, 0o640);
  await symlink("real/a.json", link);
  await rewriteFile(link, () => Promise.resolve(bytes("new")));
  assert((await lstat(link)).isSymbolicLink());
  assertEquals((await stat(real)).mode & 0o777, 0o640);
  assertEquals(await readFile(real, "utf8"), "new");
  assertEquals(await readFile(`${real}.new`, "utf8"), "mine");
  assertEquals((await readdir(folder)).sort(), ["a.json", "real"]);
  assertEquals(await filesBeside(real), ["a.json", "a.json.new"]);
});

test("rewriteFile() runs one edit at a time", async (t) => {
  const { tokens } = await writeFiles(t, { tokens: "" });
  let running = 0, most = 0;
  await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      rewriteFile(tokens, async () => {
        most = Math.max(most, ++running);
        await setTimeout(1);
        const text = await readFile(tokens, "utf8");
        running--;
        return bytes(`${text}${at}`);
      })),
  );
  assertEquals(most, 1);
  const written = await readFile(tokens, "utf8");
  assertEquals([...written].sort().join(""), "0123456789");
});

test("rewriteFile() waits for a recent lock", async (t) => {
  const { tokens } = await writeFiles(t, {});
  await writeFile(`${tokens}.lock`, "");
  let hasRun = false;
  const done = rewriteFile(tokens, () => {
    hasRun = true;
    return Promise.resolve(bytes("{}"));
  });
  await setTimeout(100);
  assert(!hasRun);
  await rm(`${tokens}.lock`);
  await done;
  assert(hasRun);
});

test("rewriteFile() names an old lock and keeps it", async (t) => {
  const { tokens } = await writeFiles(t, { tokens: "old" });
  const lock = `${tokens}.lock`;
  await writeFile(lock, "half of a f");
  const anHourAgo = Date.now() / 1000 - 3_600;
  await utimes(lock, anHourAgo, anHourAgo);
  await assertRejects(
    () => rewriteFile(tokens, () => Promise.resolve(bytes("new"))),
    Error,
    `"${lock}" was left behind by an edit that did not finish; delete it`,
  );
  assertEquals(await readFile(lock, "utf8"), "half of a f");
  assertEquals(await readFile(tokens, "utf8"), "old");
});

test("rewriteFile() releases the lock when the edit fails", async (t) => {
  const { tokens } = await writeFiles(t, { tokens: "old" });
  await assertRejects(
    () => rewriteFile(tokens, () => Promise.reject(new Error("no"))),
    Error,
    "no",
  );
  assertEquals(await readFile(tokens, "utf8"), "old");
  const beside = await filesBeside(tokens);
  assert(!beside.includes(`${basename(tokens)}.lock`), `${beside}`);
});
