import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";

const text = await readFile("SECURITY.md", "utf8");

test("SECURITY.md: the files that it names are there", async () => {
  const paths = [
    ...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+)`/g),
    ...text.matchAll(/\]\(([^)#:]+)\)/g),
  ].map(([, path]) => path!);
  assert(paths.length > 10);
  for (const path of paths) await readFile(path);
});

test("SECURITY.md: each of OWASP's ten has an answer with a test", () => {
  const rows = Array.from(
    text.matchAll(/^\| API(\d+) [^|]+\|([^|]+)\|([^|]+)\|$/gm),
    ([, number, answer, tests]) => ({ number, answer, tests }),
  );
  assertEquals(
    rows.map(({ number }) => Number(number)),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
  for (const { answer, tests } of rows) {
    assert(answer!.trim().length > 10);
    assert(/`tests\/[^`]+\.ts`/.test(tests!), tests);
  }
});

test("SECURITY.md is short", () => {
  assert(text.split("\n").length <= 100);
});
