import { test } from "node:test";
import { assertEquals } from "@std/assert";
import metadata from "../package.json" with { type: "json" };
import { readVersions } from "../tools/versions.ts";

for (const [place, version] of await readVersions()) {
  test(`the version in ${place} is that of package.json`, () => {
    assertEquals(version, metadata.version);
  });
}
