import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import metadata from "../../../package.json" with { type: "json" };
import { readVersions } from "../../../tools/versions.ts";

for (const [place, version] of await readVersions()) {
  test(`the version in ${place} is that of package.json`, () => {
    assertEquals(version, metadata.version);
  });
}

const [, minimum] = />=(\S+)/.exec(metadata.engines.node)!;

for (
  const path of [
    "README.md",
    "CONTRIBUTING.md",
    "tests/integration/runtimes/run.ts",
  ]
) {
  test(`${path} has the oldest Node.js version that is supported`, async () => {
    assert((await readFile(path, "utf8")).includes(minimum!));
  });
}
