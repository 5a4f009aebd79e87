import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  unlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { editTokensFile } from "../../src/stores/edit.ts";
import { StoreFileError } from "../../src/stores/files.ts";
import { withLock } from "../../src/stores/lock.ts";
import { makeFolder, writeFiles } from "../files.ts";

const NOBODY = { plants: {}, tokens: [] };

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
      "ends of lines",
      '{\r\n    "b": {\r\n        "plants": "all",\r\n        "tokens": []\r\n    }\r\n}\r\n',
      '{\r\n    "b": {\r\n        "plants": "all",\r\n        "tokens": []\r\n    },\r\n    "7": {\r\n        "plants": {},\r\n        "tokens": []\r\n    }\r\n}\r\n',
    ],
    [
      "$schema and __proto__",
      '{\n  "$schema": "x",\n  "__proto__": {\n    "plants": "all",\n    "tokens": []\n  }\n}',
      '{\n  "$schema": "x",\n  "__proto__": {\n    "plants": "all",\n    "tokens": []\n  },\n  "7": {\n    "plants": {},\n    "tokens": []\n  }\n}',
    ],
  ] as const
) {
  test(`editTokensFile() keeps ${id}`, async (t) => {
    const { tokens } = await writeFiles(t, { tokens: before });
    await editTokensFile(tokens, () => [{ path: ["7"], value: NOBODY }]);
    assertEquals(await readFile(tokens, "utf8"), after);
  });
}

test("editTokensFile() keeps mode and symlinks, and leaves nothing behind", async (t) => {
  const folder = await makeFolder(t);
  await mkdir(join(folder, "real"));
  const real = join(folder, "real", "tokens.json");
  const link = join(folder, "tokens.json");
  await writeFile(real, "{}");
  await chmod(real, 0o640);
  await symlink("real/tokens.json", link);
  await editTokensFile(link, () => [{ path: ["u"], value: NOBODY }]);
  assert((await lstat(link)).isSymbolicLink());
  assertEquals((await stat(real)).mode & 0o777, 0o640);
  assertEquals(JSON.parse(await readFile(real, "utf8")), { u: NOBODY });
  assertEquals((await readdir(folder)).sort(), ["real", "tokens.json"]);
  assertEquals(await readdir(join(folder, "real")), ["tokens.json"]);
});

test("editTokensFile() changes nothing in a file that it can't use, or would spoil", async (t) => {
  for (const content of ["{", '{"u": {}}']) {
    const { tokens } = await writeFiles(t, { tokens: content });
    await assertRejects(
      () => editTokensFile(tokens, () => [{ path: ["7"], value: NOBODY }]),
      StoreFileError,
      tokens,
    );
    assertEquals(await readFile(tokens, "utf8"), content);
  }
  const { tokens } = await writeFiles(t, { tokens: "{}" });
  await assertRejects(
    () => editTokensFile(tokens, () => [{ path: ["7"], value: {} }]),
    StoreFileError,
  );
  await assertRejects(
    () =>
      editTokensFile(tokens, () => {
        throw new Error("no such user");
      }),
    Error,
    "no such user",
  );
  assertEquals(await readFile(tokens, "utf8"), "{}");
  await editTokensFile(tokens, () => [{ path: ["u"], value: NOBODY }]);
});

test("editTokensFile() says that there is no file", async () => {
  await assertRejects(
    () => editTokensFile("no/such.json", () => []),
    StoreFileError,
    "no/such.json: cannot be read: no such file",
  );
});

/** A process id that was somebody's and is nobody's. */
function findDeadProcess(): number {
  return spawnSync(process.execPath, ["--version"]).pid;
}

test("withLock() runs one task at a time", async (t) => {
  const { tokens } = await writeFiles(t, {});
  let running = 0, most = 0;
  await Promise.all(
    Array.from({ length: 10 }, () =>
      withLock(tokens, async () => {
        most = Math.max(most, ++running);
        await setTimeout(5);
        running--;
      })),
  );
  assertEquals(most, 1);
});

test("withLock() lets go when the task fails", async (t) => {
  const { tokens } = await writeFiles(t, {});
  await assertRejects(
    () => withLock(tokens, () => Promise.reject(new Error("no"))),
    Error,
    "no",
  );
  assertEquals(await withLock(tokens, () => Promise.resolve(1)), 1);
});

for (
  const [id, owner, age] of [
    ["a process that has ended", `${findDeadProcess()} ${hostname()} x`, 0],
    ["nobody who is named, a moment ago", "", 2],
    ["another machine, long ago", "1 elsewhere x", 60],
    ["nobody who is named, long ago", "", 60],
  ] as const
) {
  test(`withLock() takes the lock of ${id}, once`, async (t) => {
    const { tokens } = await writeFiles(t, {});
    const lock = `${tokens}.lock`;
    await writeFile(lock, owner);
    const time = Date.now() / 1000 - age;
    await utimes(lock, time, time);
    let running = 0, most = 0;
    const start = performance.now();
    await Promise.all(
      Array.from({ length: 10 }, () =>
        withLock(tokens, async () => {
          most = Math.max(most, ++running);
          await setTimeout(5);
          running--;
        })),
    );
    assertEquals(most, 1);
    assert(performance.now() - start < 5_000);
  });
}

test("withLock() waits for a process that lives, however long, and for other machines", async (t) => {
  for (const owner of [`${process.pid} ${hostname()} x`, "1 elsewhere x"]) {
    const { tokens } = await writeFiles(t, {});
    const lock = `${tokens}.lock`;
    await writeFile(lock, owner);
    const isHere = owner.startsWith(`${process.pid}`);
    const time = Date.now() / 1000 - (isHere ? 600 : 5);
    await utimes(lock, time, time);
    let hasRun = false;
    const done = withLock(tokens, () => Promise.resolve(hasRun = true));
    await setTimeout(200);
    assertEquals(hasRun, false);
    await unlink(lock);
    assertEquals(await done, true);
  }
});

test("withLock() says when the lock was taken away, and leaves the other's", async (t) => {
  const { tokens } = await writeFiles(t, {});
  const lock = `${tokens}.lock`;
  await assertRejects(
    () =>
      withLock(tokens, async (assertHeld) => {
        await assertHeld();
        await writeFile(lock, "1 elsewhere x");
        await assertHeld();
      }),
    Error,
    "was lost",
  );
  assertEquals(await readFile(lock, "utf8"), "1 elsewhere x");
  await unlink(lock);
});

test("editTokensFile() leaves the file as it is when its lock was taken away", async (t) => {
  const { tokens } = await writeFiles(t, { tokens: "{}" });
  await assertRejects(
    () =>
      editTokensFile(tokens, () => {
        writeFileSync(`${tokens}.lock`, "1 elsewhere x");
        return [{ path: ["u"], value: NOBODY }];
      }),
    Error,
    "was lost",
  );
  assertEquals(await readFile(tokens, "utf8"), "{}");
});

test("editTokensFile() clears away what a process that was killed has left", async (t) => {
  const { tokens } = await writeFiles(t, { tokens: "{}" });
  await writeFile(`${tokens}.new`, "half of a f");
  await editTokensFile(tokens, () => [{ path: ["u"], value: NOBODY }]);
  assertEquals(JSON.parse(await readFile(tokens, "utf8")), { u: NOBODY });
  assertEquals((await readdir(dirname(tokens))).sort(), [
    "plants.json",
    "tokens.json",
  ]);
});
