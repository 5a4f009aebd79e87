import { ok } from "node:assert/strict";
import { test } from "node:test";
import { JSDOM } from "jsdom";
import { readDocuments } from "../../support/markdown.ts";

// Its parser asks for a page to clean labels on.
const { window } = new JSDOM();
Object.assign(globalThis, { window, document: window.document });
const { default: mermaid } = await import("mermaid");

test("every diagram of the documents parses", async () => {
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
