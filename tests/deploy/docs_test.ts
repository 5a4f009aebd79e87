import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assert } from "@std/assert";

test("docs/deploying.md: the files that it names are there", async () => {
  const docs = await readFile("docs/deploying.md", "utf8");
  const files = Array.from(
    docs.matchAll(/\]\(([^)#:]+)\)/g),
    ([, file]) => file!,
  );
  assert(files.length > 0);
  for (const file of files) await readFile(join("docs", file));
});
