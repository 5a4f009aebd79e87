import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assert } from "@std/assert";

for (const name of ["deploying", "scaling"]) {
  test(`docs/${name}.md: the files that it names are there`, async () => {
    const docs = await readFile(`docs/${name}.md`, "utf8");
    const files = Array.from(
      docs.matchAll(/\]\(([^)#:]+)\)/g),
      ([, file]) => file!,
    );
    assert(files.length > 0);
    for (const file of files) await readFile(join("docs", file));
  });
}
