import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { listFiles } from "../../support/markdown.ts";

/** An entry of a lockfile. */
interface Locked {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

const readJson = async (path: string) =>
  JSON.parse(await readFile(path, "utf8"));

const find = (name: RegExp) => listFiles().filter((file) => name.test(file));
const lockfiles = find(/(?:^|\/)package-lock\.json$/);
const manifests = find(/(?:^|\/)package\.json$/);

test("every manifest with dependencies has a lockfile", () => {
  // The packages in tools/std have no dependencies.
  const locked = manifests.filter((file) => !file.startsWith("tools/std/"));
  assert(locked.length > 1);
  assertEquals(lockfiles.map(dirname).sort(), locked.map(dirname).sort());
});

for (const file of lockfiles) {
  test(`${file} has a digest for each package, and no URLs`, async () => {
    const { packages } = await readJson(file);
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

test("manifests and scripts have exact versions of tools", async () => {
  const exact = /^(?:\d+\.\d+\.\d+(?:-[\w.]+)?|file:[\w./]+)$/;
  for (const file of manifests) {
    const { private: isPrivate, dependencies, devDependencies } =
      await readJson(file);
    const tools = { ...devDependencies, ...isPrivate && dependencies };
    for (const version of Object.values<string>(tools)) {
      assertMatch(version, exact, file);
    }
  }
  for (const file of [...manifests, ".ci/run", "deploy/Dockerfile"]) {
    const text = await readFile(file, "utf8");
    assertEquals(/\bnpm (?:i|add|install|update)\b/.exec(text), null, file);
    for (const [, name] of text.matchAll(/\bnpx (?:--?\S+ )*(\S+)/g)) {
      assertMatch(name!, /@\d+\.\d+\.\d+$/, file);
    }
  }
});

test("npm scripts use no syntax that cmd.exe lacks", async () => {
  const { scripts } = await readJson("package.json");
  for (const command of Object.values<string>(scripts)) {
    assertNotMatch(command, /(?:^|&& *)(?:exec |[A-Z_]+=)|[$*?';]/);
  }
});

test("no package that users can install has an install script", async () => {
  const { packages } = await readJson("package-lock.json");
  for (const name of ["valibot", "postgres"]) {
    const { hasInstallScript }: Locked = packages[`node_modules/${name}`];
    assertEquals(hasInstallScript, undefined, name);
  }
});
