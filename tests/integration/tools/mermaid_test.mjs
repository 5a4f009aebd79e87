import { ok } from "node:assert/strict";
import { test } from "node:test";
import { JSDOM } from "jsdom";
import { readDocuments } from "../../support/markdown.ts";

// The parser needs a page to clean labels.
const { window } = new JSDOM();
Object.assign(globalThis, { window, document: window.document });
const { default: mermaid } = await import("mermaid");

test("the diagrams in the documents are valid", async () => {
  let parsed = 0;
  for (const { blocks } of readDocuments()) {
    for (const { language, text } of blocks) {
      if (language !== "mermaid") continue;
      await mermaid.parse(text);
      parsed++;
    }
  }
  ok(parsed > 1);
});
