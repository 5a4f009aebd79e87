import { createHash } from "node:crypto";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { createEtag } from "../../src/domain/etag.ts";

const BODIES = ["", "[]", "é", new Uint8Array(), new Uint8Array(9)];

/** Calls a function as on a platform that has no `process`. */
function withoutProcess<T>(run: () => T): T {
  const found = Object.getOwnPropertyDescriptor(globalThis, "process")!;
  Object.defineProperty(globalThis, "process", {
    value: undefined,
    configurable: true,
  });
  try {
    return run();
  } finally {
    Object.defineProperty(globalThis, "process", found);
  }
}

test("an ETag is the first 128 bits of the SHA-256 digest of the body", async () => {
  for (const body of BODIES) {
    const digest = createHash("sha256").update(body).digest("hex");
    const expected = `"${digest.slice(0, 32)}"`;
    assertEquals(createEtag(body), expected);
    const other = withoutProcess(() => createEtag(body));
    assertEquals(other instanceof Promise, true);
    assertEquals(await other, expected);
  }
});
