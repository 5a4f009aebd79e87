import { readFile, stat } from "node:fs/promises";
import { posix } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { DIFFERENCES } from "../../contract/differences.ts";
import { readDocument, readDocuments } from "../../../tools/markdown.ts";

/** Matches `[text](target)` and `<https://...>`. */
const LINK = /\]\(([^)\s]+)\)|<(https?:[^>]+)>/g;

for (const { path, prose } of readDocuments()) {
  test(`docs: the links of ${path} are valid`, async () => {
    for (const [, target, url] of prose.matchAll(LINK)) {
      const link = (target ?? url)!;
      if (/^\w+:/.test(link)) {
        assertMatch(link, /^https:\/\/|^http:\/\/127\.0\.0\.1:8000\//);
        assert(URL.canParse(link), link);
        continue;
      }
      const [file = "", anchor] = link.split("#");
      const found = file === "" ? path : posix.join(posix.dirname(path), file);
      await stat(found);
      if (anchor === undefined) continue;
      assert(readDocument(found).anchors.has(anchor), link);
    }
  });
}

test("docs: the differences between runtimes are those that tests find", async () => {
  const text = await readFile("docs/operating.md", "utf8");
  const [, rest = ""] = text.split("| Node.js; Deno; Bun; workerd");
  const [table = ""] = rest.split("\n\n");
  const rows = [...table.matchAll(/^\| (.*?) +\| (.*; .*?) +\|$/gm)];
  assert(rows.length > 0);
  for (const [, name, outcomes] of rows) {
    const found = DIFFERENCES.find((each) => each.name === name);
    assertEquals(outcomes, found?.outcomes.join("; "), name);
  }
});

test("docs: CI installs and tests with the commands of README.md", async () => {
  const { blocks } = readDocument("README.md");
  const shown = blocks.find(({ under }) => under.at(-1) === "Run the tests");
  const steps = (await readFile(".ci/run", "utf8")).matchAll(/^step (.+)$/gm);
  const commands = Array.from(steps, ([, command]) => command);
  assertEquals(shown?.text, "npm ci\nnpm test\n");
  for (const command of shown!.text.trim().split("\n")) {
    assert(commands.includes(command), command);
  }
});
