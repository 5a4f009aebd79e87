import { createHash } from "node:crypto";
import process from "node:process";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { createEtag } from "../../src/domain/etag.ts";

const BODIES = ["", "[]", "é", new Uint8Array(), new Uint8Array(9)];

for (const hasBuiltin of [true, false]) {
  const title = hasBuiltin ? "with node:crypto" : "on other platforms";
  test(`an ETag is the first 128 bits of the SHA-256 digest of the body, ${title}`, async (t) => {
    if (!hasBuiltin) {
      t.mock.method(process, "getBuiltinModule", () => undefined);
    }
    for (const body of BODIES) {
      const digest = createHash("sha256").update(body).digest("hex");
      const etag = createEtag(body);
      assertEquals(typeof etag === "string", hasBuiltin);
      assertEquals(await etag, `"${digest.slice(0, 32)}"`);
    }
  });
}
