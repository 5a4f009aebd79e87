import { stat } from "node:fs/promises";
import { posix } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHandler, createMemoryStore } from "../../../mod.ts";
import * as responses from "../../../src/http/responses.ts";
import { readDocument, readDocuments } from "../../support/markdown.ts";

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

/** Reads a document without the spaces that align its tables. */
function readText(path: string): string {
  return readDocument(path).prose.replace(/ +/g, " ");
}

test("docs: the list of status codes has the body of every constant error", async () => {
  const store = createMemoryStore({ plants: [], users: {} });
  const notFound = await createHandler(store)("/unknown");
  const body = await notFound.text();
  const bodies = [...Object.values(responses), { status: 404, body }]
    .filter(({ status }) => status >= 400)
    .map(({ status, body }) => `| ${status} | ${body} |`);
  assert(bodies.length > 10);
  const rows = Array.from(
    readText("docs/http-api.md").matchAll(
      /^- \*\*(\d{3})\*\*: [^{]*?`+(\{"error"[^}]*\})`+$/gm,
    ),
    ([, status, body]) => `| ${status} | ${body!.replace(/\s+/g, " ")} |`,
  );
  // The messages about `limit` depend on its value.
  const constant = rows.filter((row) => !row.includes('"limit must'));
  assertEquals(constant.sort(), bodies.sort());
});

test("docs: the shorter table of runtime differences has rows of the longer one", () => {
  const rowsOf = (text: string) => text.match(/^\| (?!-).*$/gm)!;
  const text = readText("docs/http-api.md");
  const section = text.slice(text.indexOf("## 12."), text.indexOf("## 13."));
  const all = rowsOf(readText("docs/runtimes.md"));
  const [head, ...rows] = rowsOf(section);
  assert(head !== undefined && rows.length > 0);
  assertEquals(rows.filter((row) => !all.includes(row)), []);
});
