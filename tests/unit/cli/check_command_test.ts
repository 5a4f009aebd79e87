import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { call } from "../../support/cli.ts";
import { writeFiles } from "../../support/files.ts";

test("check prints what the files contain", async () => {
  const { status, stdout, stderr } = await call(["check"]);
  assertEquals([status, stderr], [0, ""]);
  assertMatch(
    stdout,
    /^data\/plants\.json: \d+ plants\ndata\/tokens\.json: 7 users, 8 tokens\n$/,
  );
});

test("check prints the problems in both files", async (t) => {
  const plants = Array.from({ length: 22 }, () => ({ name: "" }));
  const files = await writeFiles(t, {
    plants: JSON.stringify(plants, null, 1),
    tokens: { a: 1, b: 2, c: 3 },
  });
  const args = ["--plants", files.plants, "--tokens", files.tokens];
  const { status, stdout, stderr } = await call(["check", ...args]);
  assertEquals([status, stdout], [1, ""]);
  const lines = stderr.trimEnd().split("\n");
  assertEquals(lines.length, 24);
  const problem = "name must be a non-empty string";
  assertEquals(lines[0], `${files.plants}:3:11: ${problem}`);
  assertEquals(lines[20], "and 2 more problems");
  assertEquals(lines[21], `${files.tokens}:1:6: expected a user object`);
});

test("check warns about tags and names that no plant has", async (t) => {
  const files = await writeFiles(t, {
    plants: [{ name: "Rosa canina", tag: "flower" }],
    tokens: { a: { plants: { tags: ["flowre"] }, tokens: ["t"] } },
  });
  const args = ["--plants", files.plants, "--tokens", files.tokens];
  const { status, stderr } = await call(["check", ...args]);
  const warning = 'no plant has the tag "flowre"; did you mean "flower"?';
  assertEquals(status, 0);
  assertEquals(stderr, `${files.tokens}:1:25: warning: ${warning}\n`);
});
