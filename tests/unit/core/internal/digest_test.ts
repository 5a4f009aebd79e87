import { createHash } from "node:crypto";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { createEtag } from "../../../../src/core/http/response.ts";

const BODIES = ["", "[]", "é", new Uint8Array(), new Uint8Array(9)];

/** What `process` is on platforms without `node:crypto`. */
const PROCESSES: Readonly<Record<string, unknown>> = {
  "no process": undefined,
  "a process whose properties throw": new Proxy({}, {
    get(_, name) {
      throw new Error(`process.${String(name)} is not supported`);
    },
  }),
};

/** Calls a function with another `process`. */
function withProcess<T>(value: unknown, run: () => T): T {
  const found = Object.getOwnPropertyDescriptor(globalThis, "process")!;
  Object.defineProperty(globalThis, "process", { value, configurable: true });
  try {
    return run();
  } finally {
    Object.defineProperty(globalThis, "process", found);
  }
}

for (const [name, value] of Object.entries(PROCESSES)) {
  test(`with ${name}, an ETag is the first 128 bits of the SHA-256 digest, too`, async () => {
    for (const body of BODIES) {
      const digest = createHash("sha256").update(body).digest("hex");
      const etag = withProcess(value, () => createEtag(body));
      assertEquals(etag instanceof Promise, true);
      assertEquals(await etag, `"${digest.slice(0, 32)}"`);
    }
  });
}
