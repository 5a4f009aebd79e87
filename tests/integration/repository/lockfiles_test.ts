import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";

for (const folder of [".", "site", "tests"]) {
  const path = `${folder}/package-lock.json`;
  test(`${path} has a digest for each package, and no URLs`, async () => {
    const text = await readFile(path, "utf8");
    assertEquals(text.match(/"resolved": "\w+:.*/g), null);
    const { packages } = JSON.parse(text);
    const installed = Object.entries<{ integrity?: string; link?: boolean }>(
      packages,
    ).filter(([path, { link }]) => path.includes("node_modules/") && !link);
    assert(installed.length > 0);
    const without = installed.filter(([, { integrity }]) => !integrity);
    assertEquals(without, []);
  });
}
