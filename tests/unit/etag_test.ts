import { createHash } from "node:crypto";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { sha256, toEtag } from "../../src/domain/etag.ts";
import { digest } from "../../src/stores/digest.ts";

test("an ETag is the first 128 bits of the SHA-256 digest of the body", async () => {
  for (const body of ["", "[]", "é", new Uint8Array(), new Uint8Array(9)]) {
    const expected = createHash("sha256").update(body).digest("hex");
    for (const found of [await sha256(body), digest(body)]) {
      assertEquals(found, expected);
      assertEquals(toEtag(found), `"${expected.slice(0, 32)}"`);
    }
  }
});
