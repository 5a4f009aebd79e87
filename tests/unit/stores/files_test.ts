import { mkdir, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type FileChange,
  formatProblem,
  openFileStore,
  StoreFileError,
} from "../../../src/stores/files.ts";
import { digest } from "../../contract/stores.ts";
import { type Files, writeFiles } from "../../support/files.ts";
import { collect } from "../../support/collect.ts";

const NOW = Date.parse("2030-01-31T00:00:00Z");

/** A user with a token, as in a tokens file. */
const user = (token: string, dates: Readonly<Record<string, string>> = {}) => ({
  plants: "all",
  tokens: [{ sha256: digest(token), ...dates }],
});

/** Opens a store that does not watch its files, and stops the clock at `now`. */
function openAt(t: TestContext, now: number, files: Files) {
  t.mock.timers.enable({ apis: ["Date"], now });
  t.after(() => t.mock.timers.reset()); // Deno does not reset it
  return openFileStore({ ...files, watch: false });
}

test("close() waits for a reload", async () => {
  const paths = { plants: "data/plants.json", tokens: "data/tokens.json" };
  const store = await openFileStore({ ...paths, watch: false });
  let isReloaded = false;
  void store.reload().then(() => isReloaded = true);
  await store.close();
  assert(isReloaded);
});

test("openFileStore() reports up to 20 problems in each file, and counts the others", async (t) => {
  const users = Object.fromEntries(Array(22).fill(1).entries());
  const { tokens } = await writeFiles(t, { tokens: users });
  const plants = join(dirname(tokens), "a\nb\u001b\u0085.json");
  const open = () => openFileStore({ plants, tokens });
  await mkdir(plants);
  const error = await assertRejects(open, StoreFileError);
  const [folder, user, ...others] = error.problems.map(formatProblem);
  const shown = plants.replace("\n", "\\u000a").replace("\u001b", "\\u001b")
    .replace("\u0085", "\\u0085");
  assertEquals(folder, `cannot read "${shown}": is a directory`);
  assertEquals([error.name, error.message], ["StoreFileError", folder]);
  assertEquals(user, `${tokens}:1:6: expected a user object`);
  assertEquals([others.length, error.omittedCount], [19, 2]);

  await rmdir(plants);
  const duplicates = Array(25).fill('{"name": "a", "name": "b"}');
  await writeFile(plants, `[${duplicates}]`);
  const { problems, omittedCount } = await assertRejects(open, StoreFileError);
  assertEquals([problems.length, omittedCount], [40, 7]);
});

test("openFileStore() rejects a file of more than 16 MB", async (t) => {
  const files = await writeFiles(t, { plants: `[${" ".repeat(15_999_999)}]` });
  const { message } = await assertRejects(
    () => openFileStore(files),
    StoreFileError,
  );
  assertEquals(
    message,
    `cannot read "${files.plants}": larger than 16 MB; to serve more, use a database`,
  );
});

test("FileStore.authenticate() rejects a token from the moment it expires", async (t) => {
  const files = await writeFiles(t, {
    tokens: {
      date: user("date", { expires: "2030-01-31" }),
      time: user("time", { expires: "2030-01-31T01:00:00+01:00" }),
      never: user("never", {}),
    },
  });
  await using store = await openAt(t, NOW - 1, files);
  const users = () =>
    Promise.all(
      ["date", "time", "never"].map(async (token) =>
        (await store.authenticate(token))?.name
      ),
    );
  assertEquals(await users(), ["date", "time", "never"]);
  t.mock.timers.setTime(NOW);
  assertEquals(await users(), [undefined, undefined, "never"]);
});

test("FileStore.ready() reports when files were loaded or rejected", async (t) => {
  const files = await writeFiles(t, {});
  await using store = await openAt(t, NOW, files);
  const rejects = () => assertRejects(() => store.reload(), StoreFileError);
  assertEquals(store.ready(), { loadedAt: new Date(NOW) });

  t.mock.timers.setTime(NOW + 1);
  await writeFile(files.plants, "{}");
  await rejects();
  assertEquals(store.ready().rejectedAt, new Date(NOW + 1));

  // The plants file is still invalid.
  t.mock.timers.setTime(NOW + 2);
  await writeFile(files.tokens, "{}");
  await rejects();
  assertEquals(store.ready().rejectedAt, new Date(NOW + 1));

  t.mock.timers.setTime(NOW + 3);
  await writeFile(files.plants, "[]");
  await store.reload();
  assertEquals(store.ready(), { loadedAt: new Date(NOW + 3) });
});

test("onChange receives a summary or problems, and its errors are logged", async (t) => {
  const files = await writeFiles(t, {
    plants: [{ name: "a" }, { name: "b" }],
    tokens: { u: user("t") },
  });
  const log = t.mock.method(console, "error", () => {});
  t.after(() => log.mock.restore());
  const error = new Error("in the callback");
  const changes: FileChange[] = [];
  await using store = await openFileStore({
    ...files,
    watch: false,
    onChange(change): void | Promise<void> {
      changes.push(change);
      if (changes.length === 1) throw error;
      return Promise.reject(error);
    },
  });
  assertEquals(changes, []);

  const users = { u: user("new"), v: { plants: {}, tokens: [] } };
  await writeFile(files.plants, "[1]");
  await writeFile(files.tokens, JSON.stringify(users));
  await assertRejects(() => store.reload(), StoreFileError, files.plants);
  const message = "expected a plant object";
  const problem = { path: files.plants, line: 1, column: 2, message };
  const summary = "2 users, 1 token (previously 1 user, 1 token)";
  assertEquals(changes, [
    { path: files.plants, problems: [problem], omittedCount: 0 },
    { path: files.tokens, summary },
  ]);
  const logged = log.mock.calls.map((call) => call.arguments);
  assertEquals(logged, [[error], [error]]);
  // The valid file is served with the previous content of the other one.
  const found = await store.authenticate("new");
  assertEquals((await collect(await found!.list())).length, 2);
  assertEquals(await store.authenticate("t"), undefined);
});
