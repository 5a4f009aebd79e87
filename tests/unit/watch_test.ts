import {
  appendFile,
  chmod,
  mkdir,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import process from "node:process";
import { test, type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { EncodedList } from "../../mod.ts";
import {
  type FileChange,
  type FileStore,
  formatProblem,
  openFileStore,
  StoreFileError,
} from "../../src/stores/files.ts";
import { digest } from "../contract/stores.ts";
import { makeFolder } from "../support/files.ts";
import { until } from "../support/until.ts";

const plants = (...names: string[]) =>
  JSON.stringify(names.map((name) => ({ name })));
const users = (...tokens: string[]) =>
  JSON.stringify({
    u: { plants: "all", tokens: tokens.map((t) => ({ sha256: digest(t) })) },
  });

/** What the token `t` lists; undefined when it is not valid. */
async function names(
  store: FileStore,
  token = "t",
): Promise<string | undefined> {
  const list = await store.authenticate(token)?.list() as
    | EncodedList
    | undefined;
  if (!list) return undefined;
  const text = new TextDecoder().decode(list.body as Uint8Array);
  return JSON.parse(text).map(({ name }: { name: string }) => name).join("");
}

interface Watched {
  readonly folder: string;
  readonly plants: string;
  readonly tokens: string;
  readonly store: FileStore;
  readonly changes: FileChange[];
  /** What was told so far, as a log has it. */
  told(): string[];
}

/** A store of the plant `a` that follows its files. */
async function watchFiles(
  t: TestContext,
  prepare?: (folder: string) => Promise<void>,
): Promise<Watched> {
  const folder = await makeFolder(t);
  const files = {
    plants: join(folder, "plants.json"),
    tokens: join(folder, "tokens.json"),
  };
  if (prepare) await prepare(folder);
  else {
    await writeFile(files.plants, plants("a"));
    await writeFile(files.tokens, users("t"));
  }
  const changes: FileChange[] = [];
  const store = await openFileStore({
    ...files,
    onChange: (change) => changes.push(change),
  });
  t.after(() => store.close());
  assertEquals(await names(store), "a");
  return {
    folder,
    ...files,
    store,
    changes,
    told: () =>
      changes.map((change) =>
        "problems" in change
          ? change.problems.map(formatProblem).join("; ")
          : `${change.path}: ${change.summary}`
      ),
  };
}

/** The ways in which a file with new content comes into the place of an old one. */
const WAYS: Readonly<
  Record<string, (path: string, text: string) => Promise<void>>
> = {
  "written in place": (path, text) => writeFile(path, text),
  "renamed over": async (path, text) => {
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  },
  "renamed over, of the same time": async (path, text) => {
    const { atime, mtime } = await stat(path);
    await writeFile(`${path}.new`, text);
    await utimes(`${path}.new`, atime, mtime);
    await rename(`${path}.new`, path);
  },
  "written in place, of the same time": async (path, text) => {
    await setTimeout(1_100); // Deno knows the time of a change by the second
    const { atime, mtime } = await stat(path);
    await writeFile(path, text);
    await utimes(path, atime, mtime);
  },
  "deleted and created": async (path, text) => {
    await unlink(path);
    await writeFile(path, text);
  },
  "deleted and created later": async (path, text) => {
    await unlink(path);
    await setTimeout(450);
    await writeFile(path, text);
  },
  "moved away and created": async (path, text) => {
    await rename(path, `${path}~`);
    await writeFile(path, text);
  },
  "written in pieces": async (path, text) => {
    await writeFile(path, "");
    await setTimeout(30);
    for (const character of text) {
      await appendFile(path, character);
      await setTimeout(3);
    }
  },
  "made a symlink": async (path, text) => {
    await writeFile(`${path}.real`, text);
    await symlink(`${path}.real`, `${path}.link`);
    await rename(`${path}.link`, path);
  },
};

for (const [way, replace] of Object.entries(WAYS)) {
  test(`openFileStore() serves a plants file that is ${way}`, async (t) => {
    const { plants: path, store, told } = await watchFiles(t);
    for (const name of ["b", "c"]) {
      await replace(path, plants(name));
      await until(async () => await names(store) === name);
      await unlink(`${path}.real`).catch(() => {});
    }
    // Nothing is said of half a file.
    const problems = told().filter((line) => /not JSON/.test(line));
    assertEquals(problems, []);
  });
}

test("openFileStore() serves a tokens file that is replaced", async (t) => {
  const { tokens, store, told } = await watchFiles(t);
  await WAYS["renamed over"]!(tokens, users("new", "other"));
  await until(async () => await names(store, "new") === "a");
  assertEquals(store.authenticate("t"), undefined);
  assertEquals(told(), [`${tokens}: 1 user, 2 tokens (was 1, 1)`]);
});

test("openFileStore() follows a folder that is swapped by its symlink", async (t) => {
  // What Kubernetes does with a ConfigMap.
  let folder = "";
  const fill = async (version: string, name: string, token: string) => {
    await mkdir(join(folder, version));
    await writeFile(join(folder, version, "plants.json"), plants(name));
    await writeFile(join(folder, version, "tokens.json"), users(token));
  };
  const { store } = await watchFiles(t, async (made) => {
    folder = made;
    await fill("v1", "a", "t");
    await symlink("v1", join(folder, "..data"));
    await symlink("..data/plants.json", join(folder, "plants.json"));
    await symlink("..data/tokens.json", join(folder, "tokens.json"));
  });
  await fill("v2", "b", "new");
  await symlink("v2", join(folder, "..data_tmp"));
  await rename(join(folder, "..data_tmp"), join(folder, "..data"));
  await rm(join(folder, "v1"), { recursive: true });
  await until(async () => await names(store, "new") === "b");
  assertEquals(store.authenticate("t"), undefined);
});

test("openFileStore() says what a reload changed, and nothing where nothing did", async (t) => {
  const { plants: path, store, told } = await watchFiles(t);
  await writeFile(path, plants("b", "a", "b"));
  await until(() => told().length === 1);
  await writeFile(path, plants("b", "c"));
  await until(() => told().length === 2);
  const now = new Date();
  await utimes(path, now, now);
  await writeFile(path, plants("b", "c"));
  await setTimeout(700);
  assertEquals(told(), [
    `${path}: 3 plants (was 1)`,
    `${path}: 2 plants (was 3)`,
  ]);
  assertEquals(await names(store), "bc");
});

/** What must not take the place of a good file, and what is said of it. */
const BAD:
  readonly (readonly [string, (path: string) => Promise<void>, string])[] = [
    [
      "cut short",
      (path) => writeFile(path, '[{"name":"b"'),
      ":1:13: invalid JSON",
    ],
    ["empty", (path) => writeFile(path, ""), ":1:1: invalid JSON"],
    [
      "of wrong types",
      (path) => writeFile(path, '[{"name":1}]'),
      ":1:10: name must be",
    ],
    [
      "of unknown keys",
      (path) => writeFile(path, '[{"name":"b","x":1}]'),
      ':1:14: unknown property "x"',
    ],
    [
      "not UTF-8",
      (path) => writeFile(path, Uint8Array.of(0x5b, 0xff, 0x5d)),
      ":1:2: not UTF-8",
    ],
    ["deleted", (path) => unlink(path), "file not found"],
    ["a folder", async (path) => {
      await unlink(path);
      await mkdir(path);
    }, "is a directory"],
    ["a pipe", async (path) => {
      await unlink(path);
      execFileSync("mkfifo", [path]);
    }, "not a regular file"],
    ["a dangling symlink", async (path) => {
      await unlink(path);
      await symlink("nowhere", path);
    }, "file not found"],
    // The superuser may read everything: what is left is a file of no use.
    process.getuid?.() === 0
      ? [
        "of another shape",
        (path) => writeFile(path, "{}"),
        ":1:1: expected an array of plants",
      ]
      : [
        "unreadable",
        (path) => chmod(path, 0),
        "permission denied",
      ],
  ];

for (const [what, spoil, message] of BAD) {
  test(`openFileStore() keeps what it has when the file is ${what}`, async (t) => {
    const { plants: path, store, told } = await watchFiles(t);
    await spoil(path);
    await until(() => told().length === 1);
    const start = message.startsWith(":") ? path : `cannot read "${path}": `;
    assert(told()[0]!.startsWith(start + message), told()[0]);
    await setTimeout(500);
    assertEquals(told().length, 1, "it is said once");
    assertEquals(await names(store), "a");
    await assertRejects(() => store.reload(), StoreFileError, message);

    await rm(path, { recursive: true, force: true });
    await writeFile(path, plants("b"));
    await until(async () => await names(store) === "b");
  });
}

test("openFileStore() takes the old content again after a bad one", async (t) => {
  const { plants: path, store, told } = await watchFiles(t);
  await writeFile(path, "[");
  await until(() => told().length === 1);
  await writeFile(path, plants("a"));
  await until(() => told().length === 2);
  assertEquals(told()[1], `${path}: 1 plant (was 1)`);
  assertEquals(await names(store), "a");
});

test("openFileStore() revokes a token though the plants file is bad", async (t) => {
  const { plants: path, tokens, store } = await watchFiles(t);
  await writeFile(path, "[");
  await writeFile(tokens, users("new"));
  await until(() => store.authenticate("t") === undefined);
  assertEquals(await names(store, "new"), "a");
});

test("openFileStore() does not follow the files when it is told not to, or closed", async (t) => {
  const { plants: path, tokens, store } = await watchFiles(t);
  const still = await openFileStore({ plants: path, tokens, watch: false });
  await store.close();
  await writeFile(path, plants("b"));
  await setTimeout(700);
  assertEquals(await names(store), "a");
  assertEquals(await names(still), "a");
  await still.reload();
  assertEquals(await names(still), "b");
  await still.close();
});

test("FileStore.reload() counts the last of several", async (t) => {
  const { plants: path, store } = await watchFiles(t);
  const reloads: Promise<void>[] = [];
  for (const name of ["b", "c", "d", "e"]) {
    await WAYS["renamed over"]!(path, plants(name));
    reloads.push(store.reload());
  }
  await Promise.all(reloads);
  assertEquals(await names(store), "e");
});

test("openFileStore() serves a file that never comes to rest", async (t) => {
  const { plants: path, store } = await watchFiles(t);
  let isOver = false;
  await writeFile(path, plants("b"));
  const touching = (async () => {
    while (!isOver) {
      const now = new Date();
      await utimes(path, now, now);
      await setTimeout(20);
    }
  })();
  await until(async () => await names(store) === "b");
  isOver = true;
  await touching;
});

test("openFileStore() tells 20 of many problems at once, and counts the rest", async (t) => {
  const { plants: path, store, changes } = await watchFiles(t);
  const start = performance.now();
  await writeFile(
    path,
    JSON.stringify(Array(50_000).fill({ name: "" }), null, 0),
  );
  while (changes.length === 0) await setTimeout(20);
  assert(performance.now() - start < 20_000);
  const [change] = changes;
  assert(change && "problems" in change);
  if ("problems" in change) {
    assertEquals([change.problems.length, change.more], [20, 49_980]);
  }
  assertEquals(await names(store), "a");
});

/** Many plants, so that a file takes a while to load. */
const manyPlants = (name: string) =>
  JSON.stringify(
    Array.from({ length: 400_000 }, (_, at) => ({
      name: at === 0 ? name : `plant ${at}`,
      tag: `tag ${at % 50}`,
    })),
  );
const manyUsers = (token: string) => {
  const others = Array.from({ length: 10_000 }, (_, at) => [`user ${at}`, {
    plants: { tags: [`tag ${at % 50}`] },
    tokens: [{ sha256: digest(`token ${at}`) }],
  }]);
  const user = { plants: "all", tokens: [{ sha256: digest(token) }] };
  return JSON.stringify(Object.fromEntries([["u", user], ...others]));
};

for (const delay of [0, 0.2, 0.4, 0.6, 0.8]) {
  test(`openFileStore() serves files that change at ${delay} of its start`, async (t) => {
    const folder = await makeFolder(t);
    const files = {
      plants: join(folder, "plants.json"),
      tokens: join(folder, "tokens.json"),
    };
    await writeFile(files.plants, manyPlants("old"));
    await writeFile(files.tokens, manyUsers("old"));
    const start = performance.now();
    await (await openFileStore({ ...files, watch: false })).close();
    const opening = openFileStore(files);
    await setTimeout((performance.now() - start) * delay);
    // A short file loads faster than the long one that is still being loaded.
    await WAYS["renamed over"]!(files.plants, plants("new"));
    await WAYS["renamed over"]!(files.tokens, users("new"));
    await using store = await opening;
    const deadline = performance.now() + 20_000;
    for (;;) {
      const list = await store.authenticate("new")?.list(1) as
        | EncodedList
        | undefined;
      const text = new TextDecoder().decode(list?.body as Uint8Array);
      if (text.includes('"new"')) break;
      assert(performance.now() < deadline, `still ${text}`);
      await setTimeout(50);
    }
  });
}

test("openFileStore() reports an error in onChange once and serves the new content", async (t) => {
  const folder = await makeFolder(t);
  const files = {
    plants: join(folder, "plants.json"),
    tokens: join(folder, "tokens.json"),
  };
  await writeFile(files.plants, plants("a"));
  await writeFile(files.tokens, users("t"));
  const reported = t.mock.method(console, "error", () => {});
  t.after(() => reported.mock.restore());
  const changes: FileChange[] = [];
  const error = new Error("in the callback");
  await using store = await openFileStore({
    ...files,
    watch: false,
    onChange(change) {
      changes.push(change);
      throw error;
    },
  });
  await writeFile(files.plants, plants("b"));
  await store.reload();
  assertEquals(await names(store), "b");
  // The tokens file was loaded again, too.
  assertEquals(changes.map((change) => "problems" in change), [false, false]);
  assertEquals(reported.mock.calls.map((call) => call.arguments), [
    [error],
    [error],
  ]);
  assertEquals(store.ready().rejected, undefined);
});

test("openFileStore() follows relative paths from where it was opened", async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, "plants.json"), plants("a"));
  await writeFile(join(folder, "tokens.json"), users("t"));
  const before = process.cwd();
  t.after(() => process.chdir(before));
  process.chdir(folder);
  const told: string[] = [];
  await using store = await openFileStore({
    plants: "plants.json",
    tokens: "./tokens.json",
    onChange: (change) => told.push(change.path),
  });
  process.chdir(before);
  await writeFile(join(folder, "plants.json"), plants("b"));
  await until(async () => await names(store) === "b");
  await writeFile(join(folder, "tokens.json"), "[");
  await assertRejects(() => store.reload(), StoreFileError, "./tokens.json:1:");
  assert(told.includes("plants.json") && told.includes("./tokens.json"));
});

test("openFileStore() serves a change within a second", async (t) => {
  const { plants: path, store } = await watchFiles(t);
  const times: number[] = [];
  for (const name of ["b", "c", "d", "e", "f"]) {
    const start = performance.now();
    await writeFile(path, plants(name));
    await until(async () => await names(store) === name);
    times.push(performance.now() - start);
  }
  // Another process can delay some of them.
  assert(Math.min(...times) < 1_000, times.join());
});
