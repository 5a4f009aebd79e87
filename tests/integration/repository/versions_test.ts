import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import metadata from "../../../package.json" with { type: "json" };
import { readVersions } from "../../../tools/versions.ts";

for (const [place, version] of await readVersions()) {
  test(`${place} has the version of package.json`, () => {
    assertEquals(version, metadata.version);
  });
}

test("tests run on the oldest supported version of Node.js", async () => {
  const [, oldest] = />=(\S+)/.exec(metadata.engines.node)!;
  const text = await readFile("tests/integration/runtimes/run.ts", "utf8");
  assert(text.includes(oldest!));
});
