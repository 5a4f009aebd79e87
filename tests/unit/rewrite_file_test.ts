import { existsSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  createFile,
  rewriteFile,
} from "../../src/stores/files/rewrite_file.ts";
import { makeFolder, writeFiles } from "../support/files.ts";
import { until } from "../support/until.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const write = () => Promise.resolve(bytes("new"));

test("rewriteFile() keeps the mode, symlinks, and other files", async (t) => {
  const folder = await makeFolder(t);
  await mkdir(join(folder, "real"));
  const real = join(folder, "real", "a.json");
  const link = join(folder, "a.json");
  await writeFile(real, "old");
  await writeFile(`${real}.new`, "mine");
  await chmod(real, 0o640);
  await symlink("real/a.json", link);
  await rewriteFile(link, write);
  assert((await lstat(link)).isSymbolicLink());
  assertEquals((await stat(real)).mode & 0o777, 0o640);
  assertEquals(await readFile(real, "utf8"), "new");
  assertEquals(await readFile(`${real}.new`, "utf8"), "mine");
  assertEquals((await readdir(folder)).sort(), ["a.json", "real"]);
  assertEquals(await readdir(dirname(real)), ["a.json", "a.json.new"]);
});

test("rewriteFile() runs one edit at a time", async (t) => {
  const { tokens } = await writeFiles(t, { tokens: "" });
  let running = 0, most = 0;
  await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      rewriteFile(tokens, async () => {
        most = Math.max(most, ++running);
        await setImmediate();
        const text = await readFile(tokens, "utf8");
        running--;
        return bytes(`${text}${at}`);
      })),
  );
  assertEquals(most, 1);
  const written = await readFile(tokens, "utf8");
  assertEquals([...written].sort().join(""), "0123456789");
});

test("rewriteFile() reports an old lock and keeps it", async (t) => {
  const { tokens } = await writeFiles(t, { tokens: "old" });
  const lock = `${tokens}.lock`;
  await writeFile(lock, "half of a f");
  const anHourAgo = Date.now() / 1000 - 3_600;
  await utimes(lock, anHourAgo, anHourAgo);
  await assertRejects(
    () => rewriteFile(tokens, write),
    Error,
    `"${lock}" was left behind by an edit that did not finish; delete it`,
  );
  assertEquals(await readFile(lock, "utf8"), "half of a f");
  assertEquals(await readFile(tokens, "utf8"), "old");
});

test("rewriteFile() keeps the lock fresh while an edit is in progress", async (t) => {
  const { tokens } = await writeFiles(t, { tokens: "old" });
  const lock = `${tokens}.lock`;
  await rewriteFile(tokens, async () => {
    await utimes(lock, 1, 1);
    await until(async () => (await stat(lock)).mtimeMs > Date.now() - 5_000);
    return bytes("new");
  });
  assertEquals(await readFile(tokens, "utf8"), "new");
});

test("createFile() keeps a file that another program creates at the same time", async (t) => {
  const folder = await makeFolder(t);
  const path = join(folder, "new.json");
  const created = createFile(path, new Uint8Array(50_000_000));
  await until(() => existsSync(`${path}.lock`));
  await writeFile(path, "mine");
  await assertRejects(() => created, Error, "exists");
  assertEquals(await readFile(path, "utf8"), "mine");
  assertEquals(await readdir(folder), ["new.json"]);
});

test("rewriteFile() never leaves a part of the content", async (t) => {
  const { tokens } = await writeFiles(t, { tokens: "" });
  let isOver = false;
  const sizes = new Set<number>();
  const reading = (async () => {
    while (!isOver) sizes.add((await stat(tokens)).size);
  })();
  const content = new Uint8Array(50_000_000);
  await rewriteFile(tokens, () => Promise.resolve(content));
  await until(() => sizes.has(content.length));
  isOver = true;
  await reading;
  assertEquals([...sizes], [0, content.length]);
});
