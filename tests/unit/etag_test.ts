import { createHash } from "node:crypto";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { addEtag } from "../../src/domain/etag.ts";
import { addEtagFast } from "../../src/stores/digest.ts";

test("an ETag is the first 128 bits of the SHA-256 digest of the body", async () => {
  for (const length of [0, 1, 2, 3, 4, 5, 65_535, 65_536]) {
    const body = new Uint8Array(length);
    const sha256 = createHash("sha256").update(body).digest("hex");
    const list = {
      body,
      byteLength: length,
      etag: `"${sha256.slice(0, 32)}"`,
    };
    assertEquals(await addEtag(body), list);
    const fast = addEtagFast(body);
    assertEquals(fast instanceof Promise, length >= 65_536);
    assertEquals(await fast, list);
  }
});
