import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import {
  appendFile,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { describe, test, type TestContext } from "node:test";
import { clearInterval, setInterval } from "node:timers";
import { setImmediate, setTimeout } from "node:timers/promises";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  type FileChange,
  type FileStore,
  formatProblem,
  openFileStore,
  StoreFileError,
} from "../../../../src/stores/files.ts";
import { digest } from "../../../contract/stores.ts";
import {
  type Files,
  filesIn,
  makeFolder,
  replaceFile,
  writeFiles,
  writeFilesIn,
} from "../../../support/files.ts";
import { until } from "../../../../tools/until.ts";
import { collect } from "../../../support/collect.ts";

const plants = (...names: string[]) =>
  JSON.stringify(names.map((name) => ({ name })));
const users = (...tokens: string[]) =>
  JSON.stringify({
    u: { plants: "all", tokens: tokens.map((t) => ({ sha256: digest(t) })) },
  });

/** Returns the names that a token lists, or undefined if it is not valid. */
async function names(store: FileStore, token = "t") {
  const user = await store.authenticate(token);
  const list = user && await collect(await user.list());
  return list?.map(({ name }) => name).join("");
}

/** Files with the plant `a` and the token `t`. */
const CONTENT = { plants: plants("a"), tokens: users("t") };

interface Watched extends Files {
  readonly store: FileStore;
  /** Returns the changes to a file so far, by default to the plants file. */
  changes(path?: string): string[];
  /** Resolves when every earlier change has been detected. */
  settle(): Promise<void>;
}

/** Opens a store that watches its files. */
async function openWatched(t: TestContext, files?: Files): Promise<Watched> {
  const { plants, tokens } = files ?? await writeFiles(t, CONTENT);
  await utimes(plants, OLD, OLD);
  const all: FileChange[] = [];
  const store = await openFileStore({
    plants,
    tokens,
    onChange: (change) => all.push(change),
  });
  t.after(() => store.close());
  assertEquals(await names(store), "a");
  const changes = (path = plants) =>
    all.filter((change) => change.path === path).map((change) =>
      "summary" in change
        ? `${change.path}: ${change.summary}`
        : ("problems" in change ? change.problems : change.warnings)
          .map(formatProblem).join("; ")
    );
  return {
    plants,
    tokens,
    store,
    changes,
    // Both files are checked at the same interval. Once two changes to one file
    // are detected in sequence, so is an earlier change to the other one.
    async settle() {
      for (const token of ["more", "most"]) {
        const { length } = changes(tokens);
        await replaceFile(tokens, users("t", token));
        await until(() => changes(tokens).length > length);
      }
    },
  };
}

/** The modification time of the first files: a whole second, because `utimes` can cut fractions. */
const OLD = new Date(1_700_000_000_000);

/** The ways to give a file new content. */
const WAYS: Readonly<
  Record<string, (path: string, text: string) => Promise<void>>
> = {
  "written in place": (path, text) => writeFile(path, text),
  "replaced by a rename, with the same time": async (path, text) => {
    await writeFile(`${path}.new`, text);
    await utimes(`${path}.new`, OLD, OLD);
    await rename(`${path}.new`, path);
  },
  "written in place, with the same time": async (path, text) => {
    // Deno rounds the time of the last status change to seconds.
    const { ctimeMs } = await stat(path);
    await until(() => Date.now() >= ctimeMs + 1_100);
    const { atime, mtime } = await stat(path);
    await writeFile(path, text);
    await utimes(path, atime, mtime);
  },
};

/** Ways to make a file unusable, and the problem that is reported. */
const BAD: Readonly<
  Record<string, readonly [spoil: (path: string) => unknown, problem: string]>
> = {
  invalid: [(path) => replaceFile(path, '[{"name":1}]'), ":1:10: name must"],
  deleted: [(path) => unlink(path), "file not found"],
  "a pipe": [(path) => {
    execFileSync("mkfifo", [`${path}.pipe`]);
    return rename(`${path}.pipe`, path);
  }, "not a regular file"],
};

// Most of these tests wait.
describe("watching", { concurrency: 8 }, () => {
  for (const [way, replace] of Object.entries(WAYS)) {
    test(`openFileStore() reloads a file that is ${way}`, async (t) => {
      const { plants: path, store } = await openWatched(t);
      await replace(path, plants("b"));
      await until(async () => await names(store) === "b");
    });
  }

  /** Ways to write a file again and again; synchronous, so that each check sees a change. */
  const REWRITES: Readonly<
    Record<string, (path: string, text: string) => void>
  > = {
    replaced(path, text) {
      writeFileSync(`${path}.new`, text);
      renameSync(`${path}.new`, path);
    },
    "written in place": (path, text) => writeFileSync(path, text),
  };

  for (const [way, rewrite] of Object.entries(REWRITES)) {
    test(`openFileStore() revokes a token in files that are ${way} all the time`, async (t) => {
      const { plants: path, tokens, store } = await openWatched(t);
      let version = 0;
      const writing = setInterval(() => {
        rewrite(path, plants(`${++version}`));
        rewrite(tokens, users("new", `${version}`));
      }, 20);
      t.after(() => clearInterval(writing));
      await until(async () => /^\d+$/.test(await names(store, "new") ?? ""));
      assertEquals(await store.authenticate("t"), undefined);
      clearInterval(writing);
      await until(async () =>
        await names(store, `${version}`) === `${version}`
      );
    });
  }

  test("openFileStore() loads each file while the other is being written, which it does not report", async (t) => {
    const { plants: path, tokens, store, changes } = await openWatched(t);
    function write(path: string, start: string): () => void {
      writeFileSync(path, start);
      const writing = setInterval(() => appendFileSync(path, " "), 20);
      t.after(() => clearInterval(writing));
      return () => clearInterval(writing);
    }
    let stop = write(path, "[");
    await replaceFile(tokens, users("new"));
    await until(async () => await names(store, "new") === "a");
    assertEquals(await store.authenticate("t"), undefined);
    stop();
    await appendFile(path, '{ "name": "b" }]');
    await until(async () => await names(store, "new") === "b");
    assertEquals(changes().length, 1);

    stop = write(tokens, "{");
    await replaceFile(path, plants("c"));
    await until(async () => await names(store, "new") === "c");
    stop();
    await appendFile(tokens, users("last").slice(1));
    await until(async () => await names(store, "last") === "c");
  });

  for (const [name, [spoil, message]] of Object.entries(BAD)) {
    test(`openFileStore() keeps the content and reports once if a file is ${name}`, async (t) => {
      const { plants: path, store, changes, settle } = await openWatched(t);
      await spoil(path);
      await until(() => changes().length === 1);
      const start = message.startsWith(":") ? path : `cannot read "${path}": `;
      assert(changes()[0]!.startsWith(start + message), changes()[0]);
      await settle(); // also reloads the tokens
      assertEquals(changes().length, 1);
      assertEquals(await names(store, "most"), "a");
      await assertRejects(() => store.reload(), StoreFileError, message);

      await replaceFile(path, plants("a"));
      const reloaded = `${path}: 1 plant (previously 1 plant)`;
      await until(() => changes().at(-1) === reloaded);
    });
  }

  test("openFileStore() reloads files in a folder whose symlink is replaced", async (t) => {
    // Kubernetes updates a ConfigMap this way.
    const folder = await makeFolder(t);
    await writeFilesIn(join(folder, "v1"), CONTENT);
    const content = { plants: plants("b"), tokens: users("x") };
    await writeFilesIn(join(folder, "v2"), content);
    for (const version of ["v1", "v2"]) { // as from one archive
      for (const name of ["plants.json", "tokens.json"]) {
        await utimes(join(folder, version, name), OLD, OLD);
      }
    }
    await symlink("v1", join(folder, "..data"));
    for (const name of ["plants.json", "tokens.json"]) {
      await symlink(`..data/${name}`, join(folder, name));
    }
    const { store } = await openWatched(t, filesIn(folder));
    await symlink("v2", join(folder, "..data_tmp"));
    await rename(join(folder, "..data_tmp"), join(folder, "..data"));
    await rm(join(folder, "v1"), { recursive: true });
    await until(async () => await names(store, "x") === "b");
    assertEquals(await store.authenticate("t"), undefined);
  });

  test("openFileStore() reports changes, but not rewritten content that is the same", async (t) => {
    const { plants: path, store, changes, settle } = await openWatched(t);
    await replaceFile(path, plants("b", "a", "b"));
    await until(() => changes().length === 1);
    await replaceFile(path, plants("b", "c"));
    await until(() => changes().length === 2);
    const now = new Date();
    await utimes(path, now, now);
    await replaceFile(path, plants("b", "c"));
    await settle();
    assertEquals(changes(), [
      `${path}: 3 plants (previously 1 plant)`,
      `${path}: 2 plants (previously 3 plants)`,
    ]);
    assertEquals(await names(store), "bc");
  });

  test("openFileStore() reloads nothing without watch or after close()", async (t) => {
    const files = await openWatched(t);
    const { plants: path, tokens, settle } = files;
    const still = await openFileStore({ plants: path, tokens, watch: false });
    const closed = await openFileStore({ plants: path, tokens });
    await closed.close();
    await replaceFile(path, plants("b"));
    await until(async () => await names(files.store) === "b");
    await settle();
    assertEquals(await names(closed), "a");
    assertEquals(await names(still), "a");
    await still.reload();
    assertEquals(await names(still), "b");
    await still.close();
  });
});

test(
  "openFileStore() never mixes versions if a symlink is switched",
  async (t) => {
    const folder = await makeFolder(t);
    /** Switches to a new version, whose user sees the plant that is its name. */
    function change(version: string): void {
      const path = join(folder, version);
      const access = { plants: { names: [version] }, tokens: ["t"] };
      mkdirSync(path);
      writeFileSync(join(path, "plants.json"), plants(version));
      writeFileSync(join(path, "tokens.json"), JSON.stringify({ u: access }));
      symlinkSync(version, join(folder, "next"));
      renameSync(join(folder, "next"), join(folder, "now"));
    }
    change("0");
    const store = await openFileStore(filesIn(join(folder, "now")));
    t.after(() => store.close());
    for (let version = 1; version <= 300;) {
      let isOver = false;
      const reloaded = store.reload().finally(() => isOver = true);
      const end = version + 4; // after 5 changes, files are read as they are
      const turns = Math.random() * 30;
      for (let turn = 0; turn < turns || !isOver; turn++) {
        if (version < end && Math.random() < 0.2) change(`${version++}`);
        await setImmediate();
        // A mix is an empty list.
        assertMatch(await names(store) ?? "", /^\d+$/);
      }
      await reloaded;
    }
    await store.reload();
    assert(Number(await names(store)) >= 300);
  },
);

test(
  "openFileStore() serves files that change while it starts",
  async (t) => {
    const many = Array(20_000).fill({ name: "plant", tag: "tag" });
    const files = await writeFiles(t, { ...CONTENT, plants: many });
    const opening = openFileStore(files);
    await setTimeout(5);
    // A short file loads faster than the long one that is still being loaded.
    await replaceFile(files.plants, plants("new"));
    await replaceFile(files.tokens, users("new"));
    await using store = await opening;
    await until(async () => await names(store, "new") === "new");
  },
);

test("openFileStore() resolves relative paths when it opens", {
  // The threads of a test run share the working directory.
  skip: "Deno" in globalThis,
}, async (t) => {
  const { plants: path } = await writeFiles(t, CONTENT);
  const before = process.cwd();
  t.after(() => process.chdir(before));
  process.chdir(dirname(path));
  const relative = { plants: "plants.json", tokens: "./tokens.json" };
  await using store = await openFileStore(relative);
  process.chdir(before);
  await writeFile(path, plants("b"));
  await until(async () => await names(store) === "b");
  await writeFile(path, "[");
  const { message } = await assertRejects(() => store.reload(), StoreFileError);
  assert(message.startsWith("plants.json:1:"), message);
});
