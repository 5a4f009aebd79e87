import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { listFiles } from "../../support/markdown.ts";

/** An entry of a lockfile. */
interface Locked {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

for (
  const file of listFiles().filter((file) =>
    /(?:^|\/)package-lock\.json$/.test(file)
  )
) {
  test(`${file} has exact versions, a digest for each package, and no URLs`, async () => {
    const { packages } = JSON.parse(await readFile(file, "utf8"));
    for (const version of Object.values(packages[""].devDependencies ?? {})) {
      assertMatch(`${version}`, /^(?:\d+\.\d+\.\d+(?:-[\w.]+)?|file:[\w./]+)$/);
    }
    const entries = Object.entries<Locked>(packages);
    assert(entries.length > 1);
    for (const [path, { integrity, resolved, link }] of entries) {
      // Packages in this repository are links.
      if (link) assertMatch(resolved!, /^[\w./]+$/, path);
      else assertEquals(resolved, undefined, path);
      if (!link && /(?:^|\/)node_modules\//.test(path)) {
        assertMatch(integrity ?? "", /^sha512-[\w+/]{86}==$/, path);
      }
    }
  });
}
