import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import metadata from "../../../package.json" with { type: "json" };

/** An entry of a lockfile. */
interface Locked {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<
    Record<string, { readonly optional?: boolean }>
  >;
}

const readJson = async (path: string) =>
  JSON.parse(await readFile(path, "utf8"));

const files = execFileSync("git", ["ls-files"], { encoding: "utf8" })
  .trim().split("\n");
const find = (name: RegExp) => files.filter((file) => name.test(file));
const lockfiles = find(/(?:^|\/)package-lock\.json$/);
const manifests = find(/(?:^|\/)package\.json$/);

/** The scripts that npm runs when it installs a package. */
const ON_INSTALL = [
  ...["preinstall", "install", "postinstall"],
  ...["prepublish", "preprepare", "prepare", "postprepare"],
];

test("every manifest with dependencies has a lockfile", () => {
  // The packages in tools/std have no dependencies.
  const locked = manifests.filter((file) => !file.startsWith("tools/std/"));
  assert(locked.length > 1);
  assertEquals(lockfiles.map(dirname).sort(), locked.map(dirname).sort());
});

for (const file of lockfiles) {
  test(`${file} has a digest for each package, and no URLs`, async () => {
    const { lockfileVersion, packages } = await readJson(file);
    assertEquals(lockfileVersion, 3);
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

for (const file of manifests) {
  test(`${file} has exact versions of tools`, async () => {
    const { private: isPrivate, dependencies, devDependencies } =
      await readJson(file);
    const tools: Readonly<Record<string, string>> = {
      ...devDependencies,
      ...isPrivate && dependencies,
    };
    const exact = /^(?:\d+\.\d+\.\d+(?:-[\w.]+)?|file:[\w./]+)$/;
    for (const [name, version] of Object.entries(tools)) {
      assertMatch(version, exact, name);
    }
  });
}

test("scripts install packages only with npm ci or with exact versions", async () => {
  for (const file of [...manifests, ".ci/run", "deploy/Dockerfile"]) {
    const text = await readFile(file, "utf8");
    assertEquals(/\bnpm (?:i|add|install|update)\b/.exec(text), null, file);
    for (const [, name] of text.matchAll(/\bnpx (?:--?\S+ )*(\S+)/g)) {
      assertMatch(name!, /@\d+\.\d+\.\d+$/, file);
    }
  }
});

test("no package that users install has an install script", async () => {
  const { packages } = await readJson("package-lock.json");
  const { dependencies, peerDependencies } = metadata;
  const names = new Set(Object.keys({ ...dependencies, ...peerDependencies }));
  // The set grows while the loop runs.
  for (const name of names) {
    const found: Locked = packages[join("node_modules", name)];
    assertEquals(found.hasInstallScript, undefined, name);
    const { peerDependencies: peers = {}, peerDependenciesMeta: meta } = found;
    const required = Object.keys(peers).filter((peer) =>
      !meta?.[peer]?.optional
    );
    for (const next of Object.keys(found.dependencies ?? {}).concat(required)) {
      names.add(next);
    }
  }
  assertEquals([...names], ["valibot", "postgres"]);
  const scripts = Object.keys(metadata.scripts);
  assertEquals(scripts.filter((script) => ON_INSTALL.includes(script)), []);
});
