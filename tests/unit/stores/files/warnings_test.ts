import { writeFile } from "node:fs/promises";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import {
  type FileChange,
  formatProblem,
  openFileStore,
} from "../../../../src/stores/files.ts";
import { digest } from "../../../contract/stores.ts";
import { writeFiles } from "../../../support/files.ts";

// Tags and names of users that no plant has, which are probably mistakes.

const PLANTS = [{ name: "Rosa canina", tag: "flower" }, { name: "Ginkgo" }];

/** Returns the warnings of a change, without the path. */
const toLines = (change: FileChange) =>
  "warnings" in change
    ? change.warnings.map((each) =>
      formatProblem(each).replace(`${change.path}:`, "")
    )
    : [];

/** Opens a store, and returns its warnings. */
async function warn(
  t: { after(fn: () => unknown): void },
  tokens: unknown,
  plants: unknown = PLANTS,
) {
  const files = await writeFiles(t, { plants, tokens });
  const changes: FileChange[] = [];
  const onChange = (change: FileChange) => void changes.push(change);
  const store = await openFileStore({ ...files, watch: false, onChange });
  return { ...files, store, changes, lines: changes.flatMap(toLines) };
}

test("openFileStore() warns about each tag and name that no plant has", async (t) => {
  const user = { plants: { tags: ["flower", "flowre"], names: ["Rosa"] } };
  const { lines } = await warn(t, {
    a: { ...user, tokens: ["a"] },
    b: { plants: { names: ["Rosa canin", "Ginkgo"] }, tokens: [] },
    c: { plants: "all", tokens: ["c"] },
  });
  assertEquals(lines, [
    '1:34: warning: no plant has the tag "flowre"; did you mean "flower"?',
    '1:53: warning: no plant has the name "Rosa"',
    '1:102: warning: no plant has the name "Rosa canin"; did you mean "Rosa canina"?',
  ]);
});

test("warnings suggest names that look alike", async (t) => {
  const long = "x".repeat(70);
  const plants = ["Rosa canina", "\u00e9", `${long}yz`]
    .map((name) => ({ name }));
  const names = [
    "Rosa\u00a0canina",
    "Rosa c\u0430nina",
    "e\u0301",
    `${long}yy`,
  ];
  const users = { a: { plants: { names }, tokens: [] } };
  const { lines } = await warn(t, users, plants);
  assertEquals(lines.map((line) => line.replace(/^.* has the name /, "")), [
    String.raw`"Rosa\u00a0canina"; did you mean "Rosa canina"?`,
    '"Rosa c\u0430nina"; did you mean "Rosa canina"?',
    '"e\u0301"; did you mean "\u00e9"?',
    `"${long.slice(0, 64)}"...`,
  ]);
});

test("warnings contain no tokens and no digests", async (t) => {
  const tags = ["s3cret", digest("x"), `ps_${"x".repeat(43)}`];
  const { lines } = await warn(t, {
    a: { plants: { tags }, tokens: ["s3cret"] },
  });
  const warnings = lines.map((line) => line.replace(/^[\d:]+ /, ""));
  assertEquals(warnings, Array(3).fill("warning: no plant has this tag"));
});

test("20 warnings are listed, and the others are counted", async (t) => {
  const names = Array.from({ length: 25 }, (_, at) => `plant ${at}`);
  const { changes } = await warn(t, { a: { plants: { names }, tokens: [] } });
  const counts = changes.map((change) =>
    "warnings" in change && [change.warnings.length, change.omittedCount]
  );
  assertEquals(counts, [[20, 5]]);
});

test("a change of the plants warns about the tokens file in use", async (t) => {
  const user = { plants: { tags: ["flower"] }, tokens: ["a"] };
  const { plants, tokens, store, changes } = await warn(t, { user });
  assertEquals(changes, []);
  await writeFile(plants, JSON.stringify([{ name: "Ginkgo", tag: "tree" }]));
  await store.reload();
  const line = '1:28: warning: no plant has the tag "flower"';
  assertEquals(changes.flatMap(toLines), [line]);
  assertEquals(changes.map(({ path }) => path), [plants, tokens]);

  // The places in an invalid file would be wrong.
  await writeFile(tokens, "{");
  await store.reload().catch(() => {});
  assertEquals(changes.flatMap(toLines), [line]);
  await store.close();
});

test("50,000 unknown tags are compared with the plants in linear time", async (t) => {
  const plants = Array.from({ length: 50_000 }, (_, at) => (
    { name: `plant ${at}`, tag: `tag ${at}` }
  ));
  const tags = plants.map(({ tag }) => `${tag}x`);
  const users = { a: { plants: { tags }, tokens: [] } };
  const { lines } = await warn(t, users, plants);
  assertEquals(lines[0], '1:25: warning: no plant has the tag "tag 0x"');
});
