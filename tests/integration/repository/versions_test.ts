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

const [, oldest] = />=(\S+)/.exec(metadata.engines.node)!;

for (
  const path of [
    "README.md",
    "CONTRIBUTING.md",
    "tests/integration/runtimes/run.ts",
  ]
) {
  test(`${path} has the oldest supported version of Node.js`, async () => {
    assert((await readFile(path, "utf8")).includes(oldest!));
  });
}
