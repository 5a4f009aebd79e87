import { createHash } from "node:crypto";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { createEtag } from "../../src/core/http/response.ts";

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

test("without a process, an ETag is the first 128 bits of the SHA-256 digest, too", async () => {
  for (const body of BODIES) {
    const digest = createHash("sha256").update(body).digest("hex");
    const etag = withoutProcess(() => createEtag(body));
    assertEquals(etag instanceof Promise, true);
    assertEquals(await etag, `"${digest.slice(0, 32)}"`);
  }
});
